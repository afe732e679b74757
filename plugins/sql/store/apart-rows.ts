import type { ApartInRows } from '../dialects/apart';
import type { ApartWriter, Source } from './apart';
import { rowJoined } from './document-text';
import type { RowText, Scope } from './scope';

// What is read apart where each text is a row: one after the other, selects note which rows they find for those behind them. A row
// has the number of the gap, the id of the row that it belongs to, its own if something may be tied to it, its text, and two
// numbers by which those that belong to the same row are ordered.

export interface RowsWriter extends ApartWriter {
  /** Adds the select of the ids of a page, which comes before all others. */
  begin(ids: string, order: string): void;
  /** Adds the select of the page's documents. */
  documents(documents: RowText, table: string): void;
  statement(): string;
}

export function createRowsWriter(scope: Scope, apart: ApartInRows): RowsWriter {
  const { dialect } = scope;
  const { literal } = dialect;
  const selects: string[] = [];

  const note = (name: string, id: string, from: string, order?: string): void =>
    void selects.push(`select null,null,null,${apart.noted(name, id, from, order)},null,null`);

  /** Ids that are noted once something is tied to them, and before it is selected. */
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
      const sources: Source[] = [];
      /** Ties of the source's rows, and perhaps what is joined to each. */
      const from = (join: string, among: readonly string[]): string =>
        `${source.from(owner.alias)} ${dialect.joinAfter} ${tied.ties.from}${join} where ${[tied.ties.whereOne, ...among].join(' and ')}`;
      const behind = (uid?: string): Source => {
        const name = `${number}_${sources.length}`;
        const made = sourceOf(name, () => {
          const isOfType = uid === undefined ? [] : [`${tied.uid}=${literal(uid)}`];
          note(name, tied.id, from('', [...tied.among, ...isOfType]));
        });
        sources.push(made);
        return made;
      };
      const tied = makeTied(behind);
      const own = sources.some(({ isUsed }) => isUsed) ? dialect.asFloat(tied.id) : 'null';
      const [first, second = { value: '0' }] = tied.order;
      const told = [
        number,
        dialect.asFloat(`${owner.alias}.id`),
        own,
        dialect.row(tied.text),
        first!.value,
        second.value,
      ];
      const rows = from(tied.join, tied.among);
      selects.push(`select ${told.join(',')} from ${rows}`);
    },
    begin: (ids, order) => note('0', 'p.id', `(${ids}) p`, order),
    documents({ text, join }, table) {
      const rows = `${page.from('p')} ${dialect.joinAfter} ${table} t on t.id=p.id${join}`;
      selects.push(`select 0,null,${dialect.asFloat('p.id')},${dialect.row(dialect.fitting(text))},p.n,0 from ${rows}`);
    },
    statement: () => apart.beginning + selects.join(' union all '),
  };
}
