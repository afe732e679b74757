import { type HeddleError, validationError } from '../../errors';
import type { Attribute } from '../attribute';
import type { ContentType } from '../content-type';

export type QueryParam = 'filters' | 'sort' | 'fields' | 'populate';

/** A key that a query may not name. `path` tells where it stood: null at the top. */
export function invalidKey(key: string, path: string | null, param: QueryParam): HeddleError {
  return validationError(`Invalid key ${key}${path !== null && path !== key ? ` at ${path}` : ''}`, {
    key,
    path,
    source: 'query',
    param,
  });
}

export const pathOf = (path: string | null, key: string): string => (path === null ? key : `${path}.${key}`);

/** Whether a name means something of the type, though the caller may not use it. */
export const isName = (type: ContentType, key: string): boolean =>
  type.attributes.has(key) ||
  type.nested.has(key) ||
  type.dormant.has(key) ||
  (type.definition.concealed ?? []).includes(key);

/**
 * Names that exist but may not be named answer with their own place as path; unknown ones with the place they stood in.
 */
export function refuseKey(type: ContentType, key: string, param: QueryParam, at: string | null = null): HeddleError {
  return invalidKey(key, isName(type, key) ? pathOf(at, key) : at, param);
}

/** The attribute a filter or sort may name. */
export function queryable(type: ContentType, key: string): Attribute | undefined {
  const attribute = type.attributes.get(key);
  return attribute && !attribute.hidden && !attribute.kind.opaque ? attribute : undefined;
}
