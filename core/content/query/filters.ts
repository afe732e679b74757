import { type HeddleError, validationError } from '../../errors';
import type { Attribute } from '../attribute';
import type { ContentType } from '../content-type';
import { invalidKey, queryable, refuseKey } from './keys';
import { barePredicate, operatorPredicate, operators } from './operators';
import { all, type Predicate, some } from './predicate';
import type { Slots } from './slots';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** Below these a wrong key has no place of its own to be told by. */
const pathless = new Set(['id', 'documentId']);

function ofAttribute(attribute: Attribute, value: unknown, slots: Slots): Predicate {
  if (!isRecord(value)) return barePredicate(attribute, value, slots);
  const items = Object.entries(value).map(([key, inner]): Predicate => {
    if (key === '$not') return { op: 'not', item: ofAttribute(attribute, inner, slots) };
    if (key === '$and' || key === '$or')
      throw validationError(`${key} stands above attributes, not under ${attribute.name}.`);
    if (!operators.has(key)) throw invalidKey(key, pathless.has(attribute.name) ? null : attribute.name, 'filters');
    return operatorPredicate(attribute, key, inner, slots);
  });
  return all(items);
}

function list(key: string, value: unknown, type: ContentType, slots: Slots): Predicate[] {
  if (!Array.isArray(value)) throw validationError(`${key} takes a list of filters: filters[${key}][0][field]=value`);
  return value.map((item) => ofGroup(key, item, type, slots));
}

function ofGroup(key: string, value: unknown, type: ContentType, slots: Slots): Predicate {
  if (Array.isArray(value)) return all(value.map((item) => ofGroup(key, item, type, slots)));
  if (!isRecord(value)) throw validationError(`${key} takes filters, not a plain value.`);
  return ofType(type, value, slots);
}

function ofType(type: ContentType, filters: Record<string, unknown>, slots: Slots): Predicate {
  const items = Object.entries(filters).map(([key, value]): Predicate => {
    if (key === '$and') return all(list(key, value, type, slots));
    if (key === '$or') return some(list(key, value, type, slots));
    if (key === '$not') return { op: 'not', item: ofGroup(key, value, type, slots) };
    const attribute = queryable(type, key);
    if (attribute) return ofAttribute(attribute, value, slots);
    if (operators.has(key)) throw validationError(`${key} stands under an attribute: filters[field][${key}]=value`);
    throw refuseKey(type, key, 'filters');
  });
  return all(items);
}

/** Why `filters` can't be read, whatever keys it holds. */
export function refusedFilters(filters: unknown): HeddleError | undefined {
  if (filters === undefined || filters === null || isRecord(filters)) return undefined;
  return Array.isArray(filters)
    ? validationError('The filters parameter must be an object of attributes: filters[field]=value')
    : validationError('The filters parameter must be an object or an array');
}

/** The condition of a request's `filters`; undefined for none. */
export function filterPredicate(type: ContentType, filters: unknown, slots: Slots): Predicate | undefined {
  const refused = refusedFilters(filters);
  if (refused) throw refused;
  return isRecord(filters) ? ofType(type, filters, slots) : undefined;
}
