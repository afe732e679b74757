import { flatMapped, type OrderTerm, type ReadPlan } from '../../../../core';
import type { RowAt, Scope } from '../tables/scope';
import { storageOf, valueSql } from './order-sql';

/** A plan about the part of a list that is behind a place in its order. */
export type PlanAfter = ReadPlan & Required<Pick<ReadPlan, 'after'>>;

/** Pieces of a condition are made in the order of the text, in which parameters are collected. */
export type Piece = () => string;

/** A condition that one range of an index meets. */
export interface Range {
  readonly piece: Piece;
  /** Whether its rows may have several values of what a list is ordered by first. */
  readonly spans: boolean;
}

interface TermAfter {
  /** A row whose value is the one at the place. */
  readonly tied: Piece;
  /** Rows whose value is behind it; no value comes before all others. */
  readonly behind: readonly Range[];
  /** Rows whose value is the one at the place, or behind it. */
  readonly from: Piece | undefined;
}

function termAfter(scope: Scope, row: RowAt, term: OrderTerm, slot: number | null): TermAfter {
  const { marks } = scope.dialect;
  const { attribute, descending, through = [] } = term;
  const storage = storageOf(scope, row, term);
  const value = (): string => valueSql(scope, row, term);
  // The condition as a whole, for a column is compared with what is made of a value for it.
  const unindexed = (condition: string): string =>
    scope.sought?.way === 'sorted' ? scope.dialect.unindexed(`(${condition})`) : condition;
  const isNull: Piece = () => unindexed(`${value()} is null`);
  const compared =
    (symbol: string): Piece =>
    () => {
      const left = value();
      const placeholder = scope.parameters.add(slot!, (mark) => marks.bound(mark, storage));
      return unindexed(`${left}${symbol}${marks.meant(placeholder, storage)}`);
    };
  const several = (piece: Piece): Range => ({ piece, spans: true });
  if (slot === null)
    return descending
      ? { tied: isNull, behind: [], from: isNull }
      : { tied: isNull, behind: [several(() => unindexed(`${value()} is not null`))], from: undefined };
  const tied = compared('=');
  if (!descending) return { tied, behind: [several(compared('>'))], from: compared('>=') };
  const lower = several(compared('<'));
  const isKey = attribute.name === 'id' && through.length === 0;
  if (isKey) return { tied, behind: [lower], from: compared('<=') };
  const orNull =
    (piece: Piece): Piece =>
    () =>
      `(${piece()} or ${isNull()})`;
  return { tied, behind: [lower, { piece: isNull, spans: false }], from: orNull(compared('<=')) };
}

const anyOf = (ranges: readonly Range[]): string =>
  ranges.length === 0 ? '1=0' : `(${ranges.map(({ piece }) => piece()).join(' or ')})`;

const termsAfter = (scope: Scope, row: RowAt, { order, after }: PlanAfter): TermAfter[] =>
  after.map((slot, index) => termAfter(scope, row, order[index]!, slot));

/** One condition for all rows behind the place: for an order that no index has, where they are looked for among all. */
export function afterSql(scope: Scope, row: RowAt, plan: PlanAfter): string {
  const condition = ([term, ...rest]: readonly TermAfter[]): string => {
    if (rest.length === 0) return anyOf(term!.behind);
    const from = term!.from ? `${term!.from()} and ` : '';
    const behind = anyOf(term!.behind);
    return `(${from}(${behind} or (${term!.tied()} and ${condition(rest)})))`;
  };
  return condition(termsAfter(scope, row, plan));
}

/**
 * The same as conditions of which each is one range of an index that has the order: the rows tied with the place in all
 * terms but the last first, those behind it in the first term last.
 */
export function rangesAfter(scope: Scope, row: RowAt, plan: PlanAfter): Range[] {
  const terms = termsAfter(scope, row, plan);
  return flatMapped(terms, (term, index) => {
    const before = terms.slice(0, index);
    return term.behind.map(({ piece, spans }) => ({
      index,
      piece: () => [...before.map(({ tied }) => tied()), piece()].join(' and '),
      spans: spans && index === 0,
    }));
  }).sort((a, b) => b.index - a.index);
}
