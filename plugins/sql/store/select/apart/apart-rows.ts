import type { ApartInRows } from '../../../dialects/apart';
import type { RowText, Scope } from '../../tables/scope';
import { rowJoined } from '../document-text';
import type { ApartWriter, Behind, Source, Tied } from './apart';

// What is read apart where each text is a row: one after the other, selects note which rows they find for those behind them. A row
// has the number of the gap, the id of the row that it belongs to, its own if something may be tied to it, its text, and two
// numbers by which those that belong to the same row are ordered. A note has no number, and a text unless there are too many ids.

export interface RowsWriter extends ApartWriter {
  /** Adds the select of the ids of a page in an order, of which values may be NULL unless it is filled: it comes before all others. */
  begin(ids: string, order: { readonly sql: string; readonly isFilled: boolean }): void;
  /** Adds the select of the page's documents. */
  documents(documents: RowText, table: string): void;
  statement(): string;
}

export function createRowsWriter(scope: Scope, apart: ApartInRows): RowsWriter {
  const { dialect } = scope;
  const { asFloat, literal } = dialect;
  const selects: string[] = [];

  const note = (name: string, id: string, from: string, order?: string): void =>
    void selects.push(`select null,null,null,${apart.noted(name, id, from, order)},null,null`);

  /** Ids that are noted once something is tied to them, before that is selected. */
  function sourceOf(name: string, noteIds: () => void): Source {
    let isNoted = false;
    return {
      isUsed: false,
      from(alias) {
        if (!isNoted) noteIds();
        isNoted = true;
        return apart.notedIds(name, alias);
      },
    };
  }

  const page = sourceOf('0', () => undefined);
  return {
    page,
    rowBehind: rowJoined,
    add(number, owner, source, makeTied) {
      // Parameters are collected in the order of the text: what notes these rows is written before what is tied to them.
      const rows = source.from(owner.alias);
      const sources: Source[] = [];
      const from = ({ ties }: Tied, join: string, among: readonly string[]): string =>
        `${rows} ${dialect.joinAfter} ${ties.from}${join} where ${[ties.whereOne, ...among].join(' and ')}`;
      const tied = makeTied(({ uid, shown }: Behind) => {
        const name = `${number}_${sources.length}`;
        const made = sourceOf(name, () => {
          const isOfType = uid === undefined ? [] : [`${tied.uid}=${literal(uid)}`];
          note(name, tied.id, from(tied, shown?.() ?? '', [...tied.among, ...isOfType]));
        });
        sources.push(made);
        return made;
      });
      const own = sources.some(({ isUsed }) => isUsed) ? asFloat(tied.id) : 'null';
      const [first, second = { value: '0' }] = tied.order;
      const belongs = [asFloat(String(number)), asFloat(`${owner.alias}.id`), own];
      const told = [...belongs, dialect.row(tied.text), asFloat(first!.value), asFloat(second.value)];
      selects.push(`select ${told.join(',')} from ${from(tied, tied.join, tied.among)}`);
    },
    begin(ids, order) {
      if (order.isFilled) return note('0', 'p.id', `(${ids}) p`, order.sql);
      // Groups compare what NULL happens to have left.
      note('0', 'p.id', `(select p.id,row_number() over (order by ${order.sql}) as n from (${ids}) p) p`, 'p.n');
    },
    documents({ text, join }, table) {
      const told = [
        asFloat('0'),
        'null',
        asFloat('p.id'),
        dialect.row(dialect.fitting(text)),
        asFloat('p.n'),
        asFloat('0'),
      ];
      selects.push(
        `select ${told.join(',')} from ${page.from('p')} ${dialect.joinAfter} ${table} t on t.id=p.id${join}`,
      );
    },
    statement: () => selects.join(' union all '),
  };
}
