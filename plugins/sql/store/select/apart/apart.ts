import { isMixed, isPart, type Populated } from '../../../../../core';
import type { OrderValue } from '../../tables/order-value';
import type { RowAt, Scope } from '../../tables/scope';
import type { TiesOfRow } from '../../tables/ties-of-row';
import { mixedTexts, type RowBehind, shownJoined } from '../document-text';
import { isSharedList } from '../shared-lists';
import { tiedRows } from '../tied-rows';
import { type Gap, gapAt } from './gaps';

// What is tied to the rows of a page is read for all of them at once, by a select for each attribute, where one inside of each
// row's text would run for each row. The texts of the rows have gaps for it.

/** Rows that something may be tied to. */
export interface Source {
  /** Selects them, under a name: each with its `id`. */
  from(alias: string): string;
  /** Whether something is. */
  isUsed: boolean;
}

/** What is tied to rows: the ties, which of them, what is joined to them, and what is told of each. */
export interface Tied {
  readonly ties: Pick<TiesOfRow, 'alias' | 'from' | 'whereOne'>;
  readonly among: readonly string[];
  readonly join: string;
  readonly order: readonly OrderValue[];
  readonly id: string;
  /** Tells types apart, where there are several. */
  readonly uid?: string;
  readonly text: string;
}

/** What a part of what ties lead to has in common. */
export interface Behind {
  /** Its type, where there are several. */
  readonly uid?: string;
  /** Joins it to the ties, so that only what is shown is left; absent where all is. */
  readonly shown?: () => string;
}

/** Makes that; things are tied in turn to parts of what it leads to. */
export type MakeTied = (sourceOf: (part: Behind) => Source) => Tied;

/** Writes the selects of one statement. */
export interface ApartWriter {
  /** The rows of the page. */
  readonly page: Source;
  readonly rowBehind: RowBehind;
  /** The select that fills a gap in the texts of a source's rows. */
  add(number: number, owner: RowAt, source: Source, tied: MakeTied): void;
}

/**
 * Whether all that is tied is shown, as it is tied. Of a list of which a part is shown all rows would be read, where a select
 * inside of its row's text goes no further than the part.
 */
const isPlain = ({ show, selections }: Populated): boolean =>
  show === 'things' && selections.every(({ window, order }) => !window && !order);

export interface ReadApart {
  readonly gaps: readonly Gap[];
  /** For the text of a row of the page. */
  scopeFor(row: RowAt): Scope;
  /** Adds the selects for all gaps: first those of the page's rows, then those of what is tied to them, and so on. */
  finish(): void;
}

export function createReadApart(scope: Scope, writer: ApartWriter): ReadApart {
  const gaps: Gap[] = [];
  const waiting: (() => void)[] = [];

  /**
   * For the text of a row that is selected by the source. Of rows that others share, lists of what is shared stay in the text: they
   * multiply, and PostgreSQL would put what it selects of them on its disk.
   */
  const scopeFor = (row: RowAt, source: Source, relations: number): Scope => ({
    ...scope,
    relations,
    gapFor(owner, populated, missing) {
      const { nested } = populated;
      if (owner !== row || !isPlain(populated) || (relations > 0 && isSharedList(nested))) return undefined;
      const at: RowAt = { table: row.table, alias: scope.alias() };
      const tied = (isMixed(nested) ? mixed : alike)(at, populated, isPart(nested) ? relations : relations + 1);
      if (!tied) return undefined;
      const number = gaps.push({ many: nested.many, missing });
      source.isUsed = true;
      waiting.push(() => writer.add(number, at, source, tied));
      return scope.dialect.literal(gapAt(number));
    },
  });

  /** Rows of one type, where a table has ties that lead to them. */
  function alike(
    owner: RowAt,
    { nested, selections: [selection] }: Populated,
    relations: number,
  ): MakeTied | undefined {
    if (!selection) return undefined;
    const { row, through, order } = tiedRows(scope, owner, nested, selection.type);
    if (!through) return undefined;
    const shown = selection.where && (() => shownJoined(scope, row, through.target, selection));
    return (sourceOf) => {
      const inside = scopeFor(row, sourceOf({ ...(shown && { shown }) }), relations);
      const { text, join } = writer.rowBehind(inside, row, through, selection);
      return { ties: through, among: [], join, order, id: through.target, text };
    };
  }

  /** Rows of several types, where a table has ties that lead to them. */
  function mixed(owner: RowAt, populated: Populated, relations: number): MakeTied | undefined {
    const { nested, selections } = populated;
    if (selections.length === 0 || owner.table.place(nested).in === 'morphColumns') return undefined;
    return (sourceOf) => {
      const { tie, text, listed } = mixedTexts(scope, owner, populated, (row, selection, target) => {
        const shown = selection.where && (() => shownJoined(scope, row, target, selection));
        return scopeFor(row, sourceOf({ uid: selection.type.uid, ...(shown && { shown }) }), relations);
      });
      return { ties: tie, among: [listed], join: '', order: tie.order, id: tie.target, uid: tie.uid, text };
    };
  }

  return {
    gaps,
    scopeFor: (row) => scopeFor(row, writer.page, 0),
    finish() {
      for (let add = waiting.shift(); add; add = waiting.shift()) add();
    },
  };
}
