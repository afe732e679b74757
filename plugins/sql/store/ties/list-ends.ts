import { chunksOf } from '../../../../core';
import type { Connection, Rows } from '../../database/database';
import type { Dialect } from '../../dialects/dialect';
import { createTexts } from '../tables/kept-texts';
import { placeholders } from '../tables/match-sql';
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

/** Looks up what stands at the ends of lists; each by itself, for an index has it. */
export function createListEnds(dialect: Dialect) {
  const { id, notes } = dialect;
  const endsText = createTexts();

  /**
   * PostgreSQL would look for a maximum in the index of all places, past those of other targets. A subquery tells one value:
   * the place and what stands there are one text. Ties of nothing stand nowhere.
   */
  const endIn = ({ table, own, target, back }: TieTable, next: () => string): string =>
    `(select ${dialect.concat([`coalesce(${id(back!)},0)`, dialect.literal(' '), id(own)])} from ${id(table)} where ${id(target)}=${next()} and ${id(own)} is not null order by ${dialect.order(id(back!), true)},${id('id')} desc limit 1)`;

  function look(connection: Connection, lists: readonly List[], names?: readonly string[]): Rows | Promise<Rows> {
    const key = lists.map(([, { kept }]) => `${kept.table} ${kept.target}`).join();
    const sql = endsText(names ? `${key} ${names}` : key, () => {
      const next = placeholders(dialect);
      const columns = lists.map(([, { kept }], at) => {
        const end = endIn(kept, next);
        return names ? notes!.note(names[at]!, end) : end;
      });
      return `select ${columns.join(',')}`;
    });
    return connection.rows(
      { sql },
      lists.map(([, { target }]) => target),
    );
  }

  return {
    async find(connection: Connection, lists: readonly List[]): Promise<Ends> {
      const ends: [string, End][] = [];
      for (const some of chunksOf(lists, endsAtOnce)) ends.push(...endsIn(some, await look(connection, some)));
      return new Map(ends);
    },
    /**
     * Has the database note the ends of as many lists as one statement looks up, under these names, for statements that are
     * sent before it tells them.
     */
    note: (connection: Connection, lists: readonly List[], names: readonly string[]): Promise<Ends> =>
      Promise.resolve(look(connection, lists, names)).then((rows) => new Map(endsIn(lists, rows))),
  };
}
