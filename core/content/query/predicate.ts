import type { Attribute } from '../attribute';
import type { ContentType } from '../content-type';
import type { Nested } from '../nested';

export type Comparison = 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte';
export type TextMatch = 'equals' | 'contains' | 'startsWith' | 'endsWith';

/** A condition on documents. Numbers called `slot` are places in the array of values bound to a plan. */
export type Predicate =
  | { readonly op: 'compare'; readonly attribute: Attribute; readonly comparison: Comparison; readonly slot: number }
  | { readonly op: 'in'; readonly attribute: Attribute; readonly slots: readonly number[]; readonly negated: boolean }
  | { readonly op: 'between'; readonly attribute: Attribute; readonly low: number; readonly high: number }
  | TextPredicate
  | { readonly op: 'null'; readonly attribute: Attribute; readonly negated: boolean }
  | SomePredicate
  | RelativePredicate
  | { readonly op: 'and' | 'or'; readonly items: readonly Predicate[] }
  | { readonly op: 'not'; readonly item: Predicate }
  | { readonly op: 'never' };

/** Compares the text that a value is kept as; nothing is cast. */
export interface TextPredicate {
  readonly op: 'text';
  readonly attribute: Attribute;
  readonly match: TextMatch;
  readonly caseless: boolean;
  readonly negated: boolean;
  readonly slot: number;
}

/** Something tied to the document through a nested attribute meets a condition. */
export interface SomePredicate {
  readonly op: 'some';
  readonly nested: Nested;
  readonly type: ContentType;
  /** What counts as tied at all: the variants that the read shows. Absent for everything. */
  readonly among?: Predicate;
  /** Absent where it is enough that something is tied. */
  readonly where: Predicate | undefined;
  /** Also met where nothing is tied: a condition that looks for absence finds it there, too. */
  readonly orNone: boolean;
}

/** Inside `some`: compares a value of the tied row with the same value of the row that it is tied to. */
export interface RelativePredicate {
  readonly op: 'relative';
  readonly attribute: Attribute;
  readonly comparison: Comparison;
}

export const never: Predicate = { op: 'never' };

export const all = (items: readonly Predicate[]): Predicate => (items.length === 1 ? items[0]! : { op: 'and', items });
export const some = (items: readonly Predicate[]): Predicate => (items.length === 1 ? items[0]! : { op: 'or', items });

export const not = (item: Predicate): Predicate => (item.op === 'not' ? item.item : { op: 'not', item });

/** Something tied through a nested attribute, of what counts as tied there, that meets a condition. */
export function someTied(
  tie: Pick<SomePredicate, 'nested' | 'type' | 'among'>,
  where: Predicate | undefined,
): SomePredicate {
  return { op: 'some', ...tie, where, orNone: where !== undefined && holdsForNothing(where) === true };
}

/**
 * The opposite of a condition in filters. A document meets conditions on what is tied to it by any combination of such
 * things, so the opposite is met by things that differ, and not by a lack of things that are alike.
 */
export function opposite(predicate: Predicate): Predicate {
  switch (predicate.op) {
    case 'and':
      return { op: 'or', items: predicate.items.map(opposite) };
    case 'or':
      return { op: 'and', items: predicate.items.map(opposite) };
    case 'some':
      return predicate.where ? someTied(predicate, opposite(predicate.where)) : not(predicate);
    default:
      return not(predicate);
  }
}

/** Whether a condition looks at anything but the document itself. */
export function isDeep(predicate: Predicate): boolean {
  if (predicate.op === 'not') return isDeep(predicate.item);
  if (predicate.op === 'and' || predicate.op === 'or') return predicate.items.some(isDeep);
  return predicate.op === 'some';
}

/** Whether a condition holds for something that is not there: null where it can't be told, as in SQL. */
export function holdsForNothing(predicate: Predicate): boolean | null {
  switch (predicate.op) {
    case 'never':
      return false;
    case 'null':
      return !predicate.negated;
    case 'some':
      return predicate.orNone;
    case 'not': {
      const inner = holdsForNothing(predicate.item);
      return inner === null ? null : !inner;
    }
    case 'and':
    case 'or': {
      const decisive = predicate.op === 'or';
      const results = predicate.items.map(holdsForNothing);
      if (results.includes(decisive)) return decisive;
      return results.includes(null) ? null : !decisive;
    }
    default:
      return null;
  }
}
