import type { AttributeDefinition } from '../definition';
import type { Bound } from '../store';
import type { AttributeKind, Checked, Strictness } from './kind';
import { shippedKinds } from './shipped';

// For tests: what kinds make of values.

export const kindOf = (name: string): AttributeKind => shippedKinds.find((kind) => kind.name === name)!;

export function check(definition: AttributeDefinition, value: unknown, strictness: Strictness = 'complete'): Checked {
  return kindOf(definition.type).check(definition)(value, 'f', strictness);
}

export const messagesOf = (checked: Checked): string[] =>
  'refusals' in checked ? checked.refusals.map(({ message }) => message) : [];

/** Each value is kept as the one beside it. */
export function keeps(
  definition: AttributeDefinition,
  pairs: readonly (readonly [given: unknown, kept: Bound])[],
): void {
  for (const [given, kept] of pairs) {
    expect([given, check(definition, given)]).toEqual([given, { value: kept }]);
    expect([given, check(definition, given, 'sketch')]).toEqual([given, { value: kept }]);
  }
}

/** Each value is refused with the message beside it, in both strictnesses. */
export function refuses(
  definition: AttributeDefinition,
  pairs: readonly (readonly [given: unknown, message: string])[],
) {
  for (const [given, message] of pairs) {
    expect([given, messagesOf(check(definition, given))]).toEqual([given, [message]]);
    expect([given, messagesOf(check(definition, given, 'sketch'))]).toEqual([given, [message]]);
  }
}

export const wrongText = (shown: string): string =>
  `f must be a \`string\` type, but the final value was: ${'`'}${shown}${'`'}.`;
export const notText: readonly (readonly [unknown, string])[] = [
  [5, wrongText('5')],
  [true, wrongText('true')],
  [{}, wrongText('{}')],
  [[], wrongText('[]')],
  [{ a: '1' }, wrongText('{\n  "a": "\\"1\\""\n}')],
  [['x'], wrongText('[\n  "\\"x\\""\n]')],
  [[null], wrongText('[\n  "null"\n]')],
];
