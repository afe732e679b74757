import { isMixed, isPart, type Populated } from '../../../core';
import type { Apart } from '../dialects/apart';
import { mixedTexts, textBehind } from './document-text';
import { type Gap, gapAt } from './gaps';
import { isSharedList } from './multiples';
import { spelledOrder } from './order-value';
import type { RowAt, RowText, Scope } from './scope';
import { tiedRows } from './tied-rows';
import type { TiesOfRow } from './ties-of-row';

// What is tied to the rows of a page is read for all of them at once, by a select for each attribute, where one inside of each
// row's text would run for each row. The texts of the rows have gaps for it.

/** How rows that something is tied to are selected: each with its `id`, and its place `n` among them. */
type Source = string;

/** What is tied to rows: how it is selected beside them, and the text of each. */
interface Tied {
  readonly from: string;
  readonly order: string;
  readonly id: string;
  /** Tells types apart, where there are several. */
  readonly uid?: string;
  readonly text: string;
}

/** Makes that, for rows of a source of their own that things are tied to in turn. */
type TiedAs = (source: Source) => Tied;

/**
 * Whether all that is tied is shown, as it is tied. Of a list of which a part is shown all rows would be read, where a select
 * inside of its row's text goes no further than the part.
 */
const isPlain = ({ show, selections }: Populated): boolean =>
  show === 'things' && selections.every(({ window, order }) => !window && !order);

/** The name of a select: a table that somebody calls so would be hidden by it. */
const nameOf = ({ dialect }: Scope, number: number): string => dialect.id(`:${number}`);

/** Selects that are read with a page, one for each gap in its texts and in theirs. */
export function createReadApart(scope: Scope, apart: Apart) {
  const { dialect } = scope;
  const { literal } = dialect;
  const page = nameOf(scope, 0);
  const gaps: Gap[] = [];
  /** By the number of the gap. Those that others select from have a name, and come before these. */
  const named: string[] = [];
  const selects: string[] = [];

  /**
   * For the text of a row that is selected by the source. Of rows that others share, lists of what is shared stay in the text: they
   * multiply, and the server would put what it selects of them on its disk.
   */
  const scopeFor = (row: RowAt, source: Source, relations: number): Scope => ({
    ...scope,
    relations,
    gapFor(owner, populated, missing) {
      const { nested } = populated;
      if (owner !== row || !isPlain(populated) || (relations > 0 && isSharedList(nested))) return undefined;
      const at: RowAt = { table: row.table, alias: scope.alias() };
      const tiedAs = (isMixed(nested) ? mixed : alike)(at, populated, isPart(nested) ? relations : relations + 1);
      if (!tiedAs) return undefined;
      const number = gaps.push({ many: nested.many, missing });
      read(number, at, source, tiedAs);
      return literal(gapAt(number));
    },
  });

  /** The ties of each row. */
  const ties = ({ from, whereOne, alias }: Pick<TiesOfRow, 'from' | 'whereOne' | 'alias'>, more = ''): string =>
    apart.each(`select * from ${from} where ${whereOne}${more}`, alias);

  /** Rows of one type, where a table has ties that lead to them. */
  function alike(owner: RowAt, { nested, selections: [selection] }: Populated, relations: number): TiedAs | undefined {
    if (!selection) return undefined;
    const { row, through, order } = tiedRows(scope, owner, nested, selection.type);
    if (!through) return undefined;
    return (source) => {
      // Where several ties lead to a row, the planner may keep its text.
      const { text, join } = textBehind(scopeFor(row, source, relations), apart, row, through, selection);
      return { from: `${ties(through)} ${join}`, order: spelledOrder(dialect, order), id: through.target, text };
    };
  }

  /** Rows of several types, where a table has ties that lead to them. */
  function mixed(owner: RowAt, populated: Populated, relations: number): TiedAs | undefined {
    const { nested, selections } = populated;
    if (selections.length === 0 || owner.table.place(nested).in === 'morphColumns') return undefined;
    return (source) => {
      const { tie, text, listed } = mixedTexts(scope, owner, populated, (row) =>
        scopeFor(row, `(select n,id from ${source} where uid=${literal(row.table.type.uid)})`, relations),
      );
      const order = spelledOrder(dialect, tie.order);
      return { from: ties(tie, ` and ${listed}`), order, id: tie.target, uid: tie.uid, text: `coalesce(${text},'')` };
    };
  }

  /** Adds the select that fills a gap of the rows of a source. */
  function read(number: number, owner: RowAt, source: Source, tiedAs: TiedAs): void {
    const name = nameOf(scope, number);
    const { from, order, id, uid, text } = tiedAs(name);
    const place = `${owner.alias}.n`;
    const sorted = `${place},${order}`;
    const rows = `from ${source} ${owner.alias} ${from}`;
    const isLast = gaps.length === number;
    if (isLast) {
      selects[number] = `select ${number},${apart.texts(place, text, sorted)},null ${rows}`;
      return;
    }
    const type = uid === undefined ? '' : `,${uid} as uid`;
    named[number] =
      `${name} as materialized (select row_number() over (order by ${sorted}) as n,${place} as up,${id} as id${type},${text} as t ${rows})`;
    selects[number] = `select ${number},${apart.texts('up', 't', 'n')},null from ${name}`;
  }

  return {
    gaps,
    scopeFor: (row: RowAt): Scope => scopeFor(row, page, 0),
    /**
     * The whole statement: a row for the texts of the documents on the page that a select of ids finds, with what is told of them,
     * and one for each gap. It begins as what only reads does.
     */
    statement(ids: string, { text, join }: RowText, table: string, told: string): string {
      const documents = `select 0,${apart.texts('p.n', text, 'p.n')},${told}${dialect.joined(`${page} p`, table)}${join}`;
      const before = [apart.page(page, ids), ...named.filter(Boolean)].join(',');
      return `select * from (with ${before} ${[documents, ...selects.filter(Boolean)].join(' union all ')}) r`;
    },
  };
}
