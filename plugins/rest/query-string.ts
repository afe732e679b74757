import qs from 'qs';
import { type QueryLimits, validationError } from '../../core';

export type QueryParameters = Readonly<Record<string, unknown>>;

const none: QueryParameters = Object.freeze({});

/**
 * Reads a query string in brackets. Lists longer than `arrayLimit` and brackets deeper than `depth` come out as
 * objects with odd keys, which whoever reads them refuses; more parameters than `parameterLimit` are refused here.
 */
export function parseQueryString(text: string, { arrayLimit, depth, parameterLimit }: QueryLimits): QueryParameters {
  if (text === '') return none;
  let parameters = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) parameters += 1;
  if (parameters > parameterLimit)
    throw validationError(`Too many query parameters (${parameters}). The maximum is ${parameterLimit}.`);
  return qs.parse(text, { arrayLimit, depth, parameterLimit, strictNullHandling: true });
}
