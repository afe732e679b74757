import type { Aftermath, ContentType, DocumentStore } from '../../../core';
import type { Database } from '../database/database';
import { createChoices } from './choices';
import { locksOn } from './locks';
import { prepareRead } from './prepared-read';
import { rememberedIn } from './remembered';
import { createRowStatements } from './row-statements';
import type { Way } from './scope';
import { createSqlTransaction } from './sql-transaction';
import { createTies } from './ties';
import { timedTransaction } from './timed-transaction';
import { createTotals } from './totals';
import type { TypeTable } from './type-table';

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
