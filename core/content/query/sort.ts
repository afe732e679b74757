import { type HeddleError, validationError } from '../../errors';
import type { Attribute } from '../attribute';
import type { ContentType } from '../content-type';
import { invalidKey, pathOf, type QueryParam, queryable, refuseKey } from './keys';
import { type Reader, type Step, stepInto } from './reader';

export interface OrderTerm {
  readonly attribute: Attribute;
  readonly descending: boolean;
  /** Where the attribute is, for a document ordered by something tied to it; the first such thing counts. */
  readonly through?: readonly Step[];
}

export interface ParsedSort {
  readonly terms: readonly OrderTerm[];
  /** A word that is no order: told after all keys were checked. */
  readonly refused?: HeddleError | undefined;
}

/** The order with the row's id behind it, unless it is there already. */
export function totalOrder(type: ContentType, terms: readonly OrderTerm[]): OrderTerm[] {
  const id = type.attributes.get('id')!;
  return terms.some(({ attribute, through }) => attribute === id && !through)
    ? [...terms]
    : [...terms, { attribute: id, descending: false }];
}

/** The names on the way to a value, with the order: undefined where none is said, null where an object names a key without one. */
interface Part {
  readonly keys: readonly string[];
  readonly order: string | undefined | null;
  /** Whether an object says it, in which an order stands in the place of a key. */
  readonly inObject?: boolean;
}

const deepest = 20;
const neverNames = new Set(['constructor', '__proto__']);

const partsOf = (text: string): Part[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !part.startsWith(':'))
    .map((part) => {
      const [path, order] = part.split(':');
      return { keys: path!.split('.'), order };
    });

const isText = (item: unknown): item is string => typeof item === 'string';

/** Of texts, or of objects: a list of both is read as an object, whose keys are the places in it. */
function partsOfList(list: readonly unknown[], param: QueryParam): Part[] {
  if (list.some(isText) && !list.every(isText)) throw invalidKey('0', null, param);
  return list.flatMap((item) => (Array.isArray(item) ? [] : parts(item, param)));
}

function parts(sort: unknown, param: QueryParam, above: readonly string[] = []): Part[] {
  if (isText(sort)) return partsOf(sort);
  if (Array.isArray(sort)) return partsOfList(sort, param);
  if (typeof sort !== 'object' || sort === null) return [];
  return Object.entries(sort).flatMap(([key, order]): Part[] => {
    const keys = [...above, key];
    // A list says no order.
    if (Array.isArray(order)) return [{ keys, order: null }];
    if (typeof order === 'object' && order !== null) return parts(order, param, keys);
    return [{ keys, order: typeof order === 'string' && order !== '' ? order : null, inObject: true }];
  });
}

/** Parses what documents are ordered by; `param` is where it stands, for messages. */
export function parseSort(reader: Reader, type: ContentType, sort: unknown, param: QueryParam = 'sort'): ParsedSort {
  function sortable(
    at: ContentType,
    [key = '', ...rest]: readonly string[],
    path: string | null,
    wrong?: string,
  ): Omit<OrderTerm, 'descending'> {
    if (neverNames.has(key)) throw validationError('Invalid sort query');
    const attribute = queryable(at, key);
    if (attribute && rest.length > 0) throw validationError(`${key} has nothing inside to sort by.`);
    if (attribute) return { attribute };
    const tie = stepInto(reader, at, key);
    if (!tie) throw refuseKey(at, key || '.', param, path);
    const place = pathOf(path, key);
    if (rest.length === 0 || rest[0] === '') throw invalidKey(wrong ?? key, place, param);
    const inner = sortable(tie.type, rest, place, wrong);
    return { attribute: inner.attribute, through: [tie, ...(inner.through ?? [])] };
  }

  const terms = new Map<string, OrderTerm>();
  let refused: HeddleError | undefined;
  for (const { keys, order, inObject } of parts(sort, param)) {
    if (keys.length > deepest) throw validationError(`A sort goes through at most ${deepest} attributes.`);
    const found = sortable(type, keys, null, inObject && order ? order : undefined);
    const path = keys.join('.');
    if (order === null || terms.has(path)) continue;
    const word = order?.trim().toLowerCase() ?? 'asc';
    if (word === 'asc' || word === 'desc') terms.set(path, { ...found, descending: word === 'desc' });
    else refused ??= validationError('Invalid order. order can only be one of asc|desc|ASC|DESC');
  }
  return { terms: [...terms.values()], refused };
}

/** What is sorted by comes first in what is shown, and is shown even where it wasn't asked for. */
export function withSortedFirst(terms: readonly OrderTerm[], select: readonly Attribute[]): Attribute[] {
  const sorted = terms
    .filter(({ attribute, through }) => !through && attribute.name !== 'id')
    .map(({ attribute }) => attribute);
  return [...new Set([...sorted, ...select])];
}
