import type { Nested, Populated } from '../../../core';
import type { Apart } from '../dialects/apart';
import { isMixed, mixedTexts, textBehind } from './document-text';
import { type Gap, gapAt } from './gaps';
import { spelledOrder } from './order-value';
import type { RowAt, Scope } from './scope';
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

/** Whether a table of ties has what is behind a nested attribute: it is found by the row's id alone. */
function isInTies({ table }: RowAt, nested: Nested): boolean {
  if (nested.storage === 'variants') return false;
  const place = table.place(nested);
  if (place.in === 'inverseMorph') return place.via.in === 'morphTable';
  return place.in === 'link' || place.in === 'components' || place.in === 'media' || place.in === 'morphTable';
}

/**
 * Whether all that is tied is shown, as it is tied. Of a list of which a part is shown all rows would be read, where a select
 * inside of its row's text goes no further than the part.
 */
const isPlain = ({ show, selections }: Populated): boolean =>
  show === 'things' && selections.length > 0 && selections.every(({ window, order }) => !window && !order);

/** Selects that are read with a page, one for each gap in its texts and in theirs. */
export function createReadApart(scope: Scope, apart: Apart) {
  const { dialect } = scope;
  const { literal } = dialect;
  const gaps: Gap[] = [];
  /** By the number of the gap. Those that others select from have a name, and come before these. */
  const named: string[] = [];
  const selects: string[] = [];

  /** For the text of a row that is selected by the source. */
  const scopeFor = (row: RowAt, source: Source): Scope => ({
    ...scope,
    gapFor(owner, populated, missing) {
      const { nested } = populated;
      if (owner !== row || !isPlain(populated) || !isInTies(row, nested)) return undefined;
      const number = gaps.push({ many: nested.many, missing });
      read(number, { table: row.table, alias: scope.alias() }, source, populated);
      return literal(gapAt(number));
    },
  });

  /** The ties of each row. */
  const ties = ({ from, whereOne, alias }: Pick<TiesOfRow, 'from' | 'whereOne' | 'alias'>, more = ''): string =>
    apart.each(`select * from ${from} where ${whereOne}${more}`, alias);

  function alike(owner: RowAt, { nested, selections: [selection] }: Populated, name: Source): Tied {
    const { row, through, order } = tiedRows(scope, owner, nested, selection!.type);
    // Where several ties lead to a row, the planner may keep its text.
    const { text, join } = textBehind(scopeFor(row, name), apart, row, through!, selection!);
    return { from: `${ties(through!)} ${join}`, order: spelledOrder(dialect, order), id: through!.target, text };
  }

  function mixed(owner: RowAt, populated: Populated, name: Source): Tied {
    const { tie, text, listed } = mixedTexts(scope, owner, populated, (row) =>
      scopeFor(row, `(select n,id from ${name} where uid=${literal(row.table.type.uid)})`),
    );
    return {
      from: ties(tie, ` and ${listed}`),
      order: spelledOrder(dialect, tie.order),
      id: tie.target,
      uid: tie.uid,
      text: `coalesce(${text},'')`,
    };
  }

  /** Adds the select that fills a gap of the rows of a source. */
  function read(number: number, owner: RowAt, source: Source, populated: Populated): void {
    const name = `b${number}`;
    const { from, order, id, uid, text } = (isMixed(populated.nested) ? mixed : alike)(owner, populated, name);
    const place = `${owner.alias}.n`;
    const sorted = `${place},${order}`;
    const rows = `from ${source} ${owner.alias} ${from}`;
    if (gaps.length === number) {
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
    scopeFor,
    /** The whole statement: a row for the texts of the page's documents, and one for each gap. */
    statement(page: string, documents: string): string {
      const before = [page, ...named.filter(Boolean)].join(',');
      return `with ${before} ${[documents, ...selects.filter(Boolean)].join(' union all ')}`;
    },
  };
}
