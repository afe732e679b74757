import type { ApartJoined } from '../../../dialects/apart';
import { spelledOrder } from '../../tables/order-value';
import type { RowText, Scope } from '../../tables/scope';
import { textBehind } from '../document-text';
import type { ApartWriter, Behind, Source } from './apart';

// What is read apart where the database joins the texts: each select has a row, and those that others select from have a name.

export interface JoinedWriter extends ApartWriter {
  /**
   * The whole statement: a row for the texts of the documents on the page that a select of ids finds, with what is told of them,
   * and one for each gap. It begins as what only reads does.
   */
  statement(ids: string, documents: RowText, table: string, told: string): string;
}

export function createJoinedWriter(scope: Scope, apart: ApartJoined): JoinedWriter {
  const { dialect } = scope;
  const { id, literal } = dialect;
  /** The name of a select: a table that somebody calls so would be hidden by it. */
  const nameOf = (number: number): string => id(`:${number}`);
  const page = nameOf(0);
  /** By the number of the gap. Those that others select from have a name, and come before these. */
  const named: string[] = [];
  const selects: string[] = [];

  /** Rows of a named select, each with its place `n` among them. */
  const sourceOf = (name: string, { uid }: Behind = {}): Source => ({
    isUsed: false,
    from: (alias) =>
      uid === undefined ? `${name} ${alias}` : `(select n,id from ${name} where uid=${literal(uid)}) ${alias}`,
  });

  return {
    page: sourceOf(page),
    // Where several ties lead to a row, the planner may keep its text.
    rowBehind: (inside, row, through, selection) => textBehind(inside, apart, row, through, selection),
    add(number, owner, source, makeTied) {
      const name = nameOf(number);
      const sources: Source[] = [];
      const tied = makeTied((part) => {
        const made = sourceOf(name, part);
        sources.push(made);
        return made;
      });
      const { ties, id: target, uid, join } = tied;
      const place = `${owner.alias}.n`;
      const sorted = `${place},${spelledOrder(dialect, tied.order)}`;
      const where = [ties.whereOne, ...tied.among].join(' and ');
      const each = apart.each(`select * from ${ties.from} where ${where}`, ties.alias);
      const rows = `from ${source.from(owner.alias)} ${each} ${join}`;
      const text = uid === undefined ? tied.text : `coalesce(${tied.text},'')`;
      if (!sources.some(({ isUsed }) => isUsed)) {
        selects[number] = `select ${number},${apart.texts(place, text, sorted)},null ${rows}`;
        return;
      }
      const type = uid === undefined ? '' : `,${uid} as uid`;
      named[number] =
        `${name} as materialized (select row_number() over (order by ${sorted}) as n,${place} as up,${target} as id${type},${text} as t ${rows})`;
      selects[number] = `select ${number},${apart.texts('up', 't', 'n')},null from ${name}`;
    },
    statement(ids, { text, join }, table, told) {
      const documents = `select 0,${apart.texts('p.n', text, 'p.n')},${told}${dialect.joined(`${page} p`, table)}${join}`;
      const before = [apart.page(page, ids), ...named.filter(Boolean)].join(',');
      return `select * from (with ${before} ${[documents, ...selects.filter(Boolean)].join(' union all ')}) r`;
    },
  };
}
