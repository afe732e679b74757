import type { Connection, Rows } from '../database/database';
import type { Dialect } from '../dialects/dialect';
import { chunksOf } from './in-list';
import { createTexts } from './kept-texts';
import { placeholders } from './match-sql';
import type { End, Ends, OwnList } from './tie-lists';
import type { TieTable } from './tie-table';

/** Lists whose ends one statement looks up. */
export const endsAtOnce = 64;

type List = readonly [key: string, list: OwnList];

/** What a statement found, as ends. */
function endsIn(lists: readonly List[], [found]: Rows): [string, End][] {
  return lists.map(([key], index) => {
    const [place, last] = String(found![index] ?? '').split(' ');
    const isEmpty = last === undefined;
    return [key, { from: isEmpty ? 0 : Number(place), behind: 0, last: isEmpty ? null : Number(last) }];
  });
}

const targetsOf = (lists: readonly List[]): number[] => lists.map(([, { target }]) => target);

/** Looks up what stands at the ends of lists; each by itself, for an index has it. */
export function createListEnds(dialect: Dialect) {
  const { id, notes } = dialect;
  const findText = createTexts();
  const noteText = createTexts();

  /**
   * PostgreSQL would look for a maximum in the index of all places, past those of other targets. A subquery tells one value:
   * the place and what stands there are one text. Ties of nothing stand nowhere.
   */
  const endIn = ({ table, own, target, back }: TieTable, next: () => string): string =>
    `(select ${dialect.concat([`coalesce(${id(back!)},0)`, dialect.literal(' '), id(own)])} from ${id(table)} where ${id(target)}=${next()} and ${id(own)} is not null order by ${dialect.order(id(back!), true)},${id('id')} desc limit 1)`;

  const textsOf = (lists: readonly List[]): string[] => {
    const next = placeholders(dialect);
    return lists.map(([, { kept }]) => endIn(kept, next));
  };
  const keyOf = (lists: readonly List[]): string => lists.map(([, { kept }]) => `${kept.table} ${kept.target}`).join();

  return {
    async find(connection: Connection, lists: readonly List[]): Promise<Ends> {
      const ends: [string, End][] = [];
      for (const some of chunksOf(lists, endsAtOnce)) {
        const sql = findText(keyOf(some), () => `select ${textsOf(some).join(',')}`);
        ends.push(...endsIn(some, await connection.rows({ sql }, targetsOf(some))));
      }
      return new Map(ends);
    },
    /**
     * Has the database note the ends, of as many lists as one statement looks up, for statements that are sent before these
     * are told. `noted` is called once it has been asked, with what will be told.
     */
    note(
      connection: Connection,
      lists: readonly List[],
      noted: (told: Promise<Ends>) => void | Promise<void>,
    ): void | Promise<void> {
      const { note, tell } = notes!;
      const sql = noteText(keyOf(lists), () => note(textsOf(lists)));
      const targets = targetsOf(lists);
      const asked = (telling: string, values: readonly number[]): void | Promise<void> =>
        noted(Promise.resolve(connection.rows({ sql: telling }, values)).then((rows) => new Map(endsIn(lists, rows))));
      if (!tell) return asked(sql, targets);
      const kept = connection.post({ sql }, targets);
      const told = (): void | Promise<void> => asked(tell(lists.length), []);
      return kept ? kept.then(told) : told();
    },
  };
}
