import { Lru, type QueryLimits, validationError } from '../../core';

export type QueryParameters = Readonly<Record<string, unknown>>;

/** Query strings kept at once with what they say; longer ones are read each time, so that nobody can fill the memory. */
const keptQueries = 1_000;
const longestKept = 1_000;

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}

/** It brings many small modules: a start does without. */
export const loadParser = () => require('qs') as typeof import('qs');

function refuseTooMany(text: string, limit: number): void {
  let parameters = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) parameters += 1;
  if (parameters > limit) throw validationError(`Too many query parameters (${parameters}). The maximum is ${limit}.`);
}

/** As the parser reads a key; what is not encoded as it should be is left as it is. */
function decoded(key: string): string {
  const text = key.replaceAll('+', ' ');
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The names in a key, as the parser takes them apart: `a[b][c]`, where the first may stand in brackets, too. */
function namesIn(part: string): string[] {
  const text = part.replace(/%5B/gi, '[').replace(/%5D/gi, ']');
  const closing = text.indexOf(']=');
  const end = closing < 0 ? text.indexOf('=') : closing + 1;
  const key = decoded(end < 0 ? text : text.slice(0, end));
  const root = key.slice(0, Math.max(key.search(/\[[^[\]]*\]/), 0));
  const inside = [...key.matchAll(/\[([^[\]]*)\]/g)].map(([, name]) => name!);
  return root === '' ? inside : [root, ...inside];
}

const naming = new Set(['filters', 'populate', 'sort', 'fields']);

/** The parser leaves out what is named like something that every object has: all documents would meet such a filter. */
function refuseInherited(text: string): void {
  for (const part of text.split('&')) {
    const [param, ...inside] = namesIn(part);
    if (param === undefined || !naming.has(param)) continue;
    const at = inside.findIndex((name) => name in Object.prototype);
    if (at < 0) continue;
    const [key, path] = [inside[at]!, at > 0 ? inside.slice(0, at).join('.') : null];
    const message = path === null ? `Invalid key ${key}` : `Invalid key ${key} at ${path}`;
    throw validationError(message, { key, path, source: 'query', param });
  }
}

/**
 * Makes the reader of query strings in brackets. Lists longer than `arrayLimit` and brackets deeper than `depth` come out
 * as objects with odd keys, which whoever reads them refuses; more parameters than `parameterLimit` are refused here.
 * Clients ask the same few things again and again: what a text says is kept, frozen, since many requests share it.
 */
export function createQueryReader(limits: QueryLimits): (text: string) => QueryParameters {
  const { arrayLimit, depth, parameterLimit } = limits;
  const kept = new Lru<QueryParameters>(keptQueries);
  kept.set('', Object.freeze({}));
  return (text) => {
    const known = kept.get(text);
    if (known) return known;
    refuseTooMany(text, parameterLimit);
    refuseInherited(text);
    const read = frozen(loadParser().parse(text, { arrayLimit, depth, parameterLimit, strictNullHandling: true }));
    if (text.length <= longestKept) kept.set(text, read);
    return read;
  };
}
