import { type HeddleError, validationError } from '../../errors';
import type { Attribute } from '../attribute';
import type { ContentType } from '../content-type';
import { queryable, refuseKey } from './keys';

export interface OrderTerm {
  readonly attribute: Attribute;
  readonly descending: boolean;
}

export interface ParsedSort {
  readonly terms: readonly OrderTerm[];
  /** A word that is no order: told after all keys were checked. */
  readonly refused?: HeddleError;
}

/** A key with its order: undefined where none is said, null where an object names a key without one. */
type Pair = readonly [key: string, order: string | undefined | null];

const parts = (text: string): Pair[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !part.startsWith(':'))
    .map((part) => {
      const [key, order] = part.split(':');
      return [key!, order] as const;
    });

function pairs(sort: unknown): Pair[] {
  if (typeof sort === 'string') return parts(sort);
  if (Array.isArray(sort)) return sort.flatMap((item) => (Array.isArray(item) ? [] : pairs(item)));
  if (typeof sort !== 'object' || sort === null) return [];
  return Object.entries(sort).flatMap(([key, order]): Pair[] => {
    if (typeof order === 'object' && order !== null && !Array.isArray(order)) {
      throw validationError(`Sorting by ${key} takes asc or desc, not an object.`);
    }
    return [[key, typeof order === 'string' && order !== '' ? order : null]];
  });
}

function sortable(type: ContentType, key: string): Attribute {
  const attribute = queryable(type, key);
  if (attribute) return attribute;
  const first = key.split('.')[0]!;
  if (first !== key && queryable(type, first)) throw validationError(`${first} has nothing inside to sort by.`);
  throw refuseKey(type, first || key, 'sort');
}

/** The order that a request asks for: the first mention of an attribute counts. */
export function parseSort(type: ContentType, sort: unknown): ParsedSort {
  const terms = new Map<Attribute, OrderTerm>();
  let refused: HeddleError | undefined;
  for (const [key, order] of pairs(sort)) {
    const attribute = sortable(type, key);
    if (order === null || terms.has(attribute)) continue;
    const word = order?.trim().toLowerCase() ?? 'asc';
    if (word === 'asc' || word === 'desc') terms.set(attribute, { attribute, descending: word === 'desc' });
    else refused ??= validationError('Invalid order. order can only be one of asc|desc|ASC|DESC');
  }
  return { terms: [...terms.values()], refused };
}
