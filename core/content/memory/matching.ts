import type { Attribute } from '../attribute';
import type { Predicate, SomePredicate, TextPredicate } from '../query/predicate';
import { rowId } from '../row-id';
import type { Bound, Row, RowMatch } from '../store';

/** Nulls first, then by value. */
export function compareBound(a: Bound, b: Bound): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  return a < b ? -1 : 1;
}

const comparisons = {
  eq: (order: number) => order === 0,
  ne: (order: number) => order !== 0,
  lt: (order: number) => order < 0,
  lte: (order: number) => order <= 0,
  gt: (order: number) => order > 0,
  gte: (order: number) => order >= 0,
};

const keptIn = (row: Row, attribute: Attribute): Bound => row[attribute.name] ?? null;

function textMatches({ match, caseless, negated }: TextPredicate, kept: string, wanted: string): boolean {
  const [text, part] = caseless ? [kept.toLowerCase(), wanted.toLowerCase()] : [kept, wanted];
  const found =
    match === 'equals'
      ? text === part
      : match === 'contains'
        ? text.includes(part)
        : match === 'startsWith'
          ? text.startsWith(part)
          : text.endsWith(part);
  return found !== negated;
}

/** The rows tied to a row through a nested attribute. */
export type TiedRows = (row: Row, predicate: SomePredicate) => readonly Row[];

/** Three-valued, as in SQL: null where a comparison with null can't be told. */
export function matches(
  predicate: Predicate,
  row: Row,
  values: readonly Bound[],
  tied: TiedRows = () => [],
  outer?: Row,
): boolean | null {
  switch (predicate.op) {
    case 'never':
      return false;
    case 'some': {
      const rows = tied(row, predicate);
      if (rows.length === 0) return predicate.orNone;
      return rows.some((inner) => !predicate.where || matches(predicate.where, inner, values, tied, row) === true);
    }
    case 'and':
    case 'or': {
      const results = predicate.items.map((item) => matches(item, row, values, tied, outer));
      const decisive = predicate.op === 'or';
      if (results.includes(decisive)) return decisive;
      return results.includes(null) ? null : !decisive;
    }
    case 'not': {
      const result = matches(predicate.item, row, values, tied, outer);
      return result === null ? null : !result;
    }
    case 'null':
      return (keptIn(row, predicate.attribute) === null) !== predicate.negated;
  }
  const kept = keptIn(row, predicate.attribute);
  if (kept === null) return null;
  switch (predicate.op) {
    case 'relative':
      return comparisons[predicate.comparison](compareBound(kept, outer ? keptIn(outer, predicate.attribute) : null));
    case 'compare':
      return comparisons[predicate.comparison](compareBound(kept, values[predicate.slot]!));
    case 'in':
      return predicate.slots.some((slot) => values[slot] === kept) !== predicate.negated;
    case 'between':
      return compareBound(kept, values[predicate.low]!) >= 0 && compareBound(kept, values[predicate.high]!) <= 0;
    case 'text':
      return textMatches(predicate, String(kept), String(values[predicate.slot]));
  }
}

/** Whether a row is among those a write is about. */
export function isAmong({ documentId, id, behind = -1, where = [] }: RowMatch, row: Row): boolean {
  if (documentId !== undefined && ![documentId].flat().includes(String(row['documentId']))) return false;
  if (id !== undefined && ![id].flat().includes(rowId(row))) return false;
  if (rowId(row) <= behind) return false;
  return where.every(({ attribute, choice }) => {
    const kept = keptIn(row, attribute);
    if ('is' in choice) return kept === choice.is;
    if ('oneOf' in choice) return choice.oneOf.includes(kept as string);
    return 'any' in choice || (kept !== null) === choice.present;
  });
}
