import type { Aftermath, ContentType, DocumentStore } from '../../../core';
import type { Database } from '../database/database';
import { locksOn } from './locks/locks';
import { createChoices } from './reads/choices';
import { prepareRead } from './reads/prepared-read';
import { createTotals } from './reads/totals';
import { rememberedIn } from './remembered';
import type { Way } from './tables/scope';
import type { TypeTable } from './tables/type-table';
import { createTies } from './ties/ties';
import { createRowStatements } from './writes/row-statements';
import { createSqlTransaction } from './writes/sql-transaction';
import { timedTransaction } from './writes/timed-transaction';

/** The document store on a database: plans become SQL, once per shape. */
export function createSqlStore(
  database: Database,
  tableOf: (type: ContentType) => TypeTable,
  strays: Required<DocumentStore>['strays'],
  isTable: (name: string) => boolean,
): DocumentStore {
  const { dialect } = database;
  const kept = { totals: createTotals(), choices: createChoices<Way>() };
  const locks = locksOn(database);
  const statements = {
    rows: createRowStatements(dialect, tableOf),
    tiesOn: createTies(dialect, tableOf, locks),
    locks,
  };
  const transaction: DocumentStore['transaction'] = timedTransaction((work) =>
    database.transaction(async (connection) => {
      const inside = createSqlTransaction(connection, statements);
      const result = await work(inside);
      await inside.finish();
      return result;
    }),
  );
  return {
    strays,
    changes: database.changes,
    remembered: rememberedIn(database),
    prepare: (plan) => prepareRead(plan, tableOf, database, kept, isTable),
    async transaction(work) {
      let aftermath: Aftermath | undefined;
      const answer = await transaction((inside) => {
        // Of an attempt that lost, nothing is left to be done.
        aftermath = inside.aftermath;
        return work(inside);
      });
      await aftermath?.carryOut();
      return answer;
    },
  };
}
