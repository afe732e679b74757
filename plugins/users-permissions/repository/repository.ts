import type { Knex } from 'knex';
import { newDocumentId } from '../../../core';
import { type Database, isoOf, withRetries } from '../../sql';

/** What the models need of a database, and how its values are read. */
export interface Repository {
  /** Runs work in one transaction of the models, again if it lost. Only one goes on at a time, in whatever process. */
  within<T>(work: (transaction: Knex.Transaction) => Promise<T>): Promise<T>;
  knex(): Knex;
  /** What new and changed rows are stamped with. */
  context(): { now: unknown; documentId: () => string };
  time(moment: Date): unknown;
  /** A moment as a row holds it, in ISO form. */
  iso(value: unknown): string | null;
}

export function createRepository(database: () => Database): Repository {
  const time = (moment: Date): unknown => database().dialect.store(moment.toISOString(), 'datetime');
  return {
    within: (work) =>
      withRetries(() =>
        database()
          .knex()
          .transaction(async (transaction) => {
            // Changes nothing, but makes all other writers wait, and on SQLite makes this a writer from the start.
            await transaction('up_roles').where({ type: 'public' }).update({ type: 'public' });
            return work(transaction);
          }),
      ),
    knex: () => database().knex(),
    context: () => ({ now: time(new Date()), documentId: newDocumentId }),
    time,
    iso: isoOf,
  };
}
