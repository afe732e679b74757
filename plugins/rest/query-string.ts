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
    const read = frozen(loadParser().parse(text, { arrayLimit, depth, parameterLimit, strictNullHandling: true }));
    if (text.length <= longestKept) kept.set(text, read);
    return read;
  };
}
