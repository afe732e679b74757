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

/** Names that exist but may not be named answer with their own name as path; unknown ones with none. */
export function refuseKey(type: ContentType, key: string, param: QueryParam): HeddleError {
  const exists = type.attributes.has(key) || type.dormant.has(key) || (type.definition.concealed ?? []).includes(key);
  return invalidKey(key, exists ? key : null, param);
}

/** The attribute a filter or sort may name. */
export function queryable(type: ContentType, key: string): Attribute | undefined {
  const attribute = type.attributes.get(key);
  return attribute && !attribute.hidden && !attribute.kind.opaque ? attribute : undefined;
}
