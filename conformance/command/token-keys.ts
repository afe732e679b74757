import { tokenKinds } from '../runner/row';
import type { TokenKeys } from '../targets/target';

/** `kind=key` of every kind. */
export function tokenKeys(given: readonly string[] | undefined): TokenKeys | undefined {
  if (!given) return undefined;
  const keys = Object.fromEntries(given.map((each) => [each.split('=')[0], each.slice(each.indexOf('=') + 1)]));
  if (given.length === tokenKinds.length && tokenKinds.every((kind) => keys[kind])) return keys as TokenKeys;
  throw new Error(`API tokens are given as ${tokenKinds.map((kind) => `${kind}=KEY`).join(',')}.`);
}
