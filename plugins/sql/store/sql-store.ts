import type { Aftermath, ContentType, DocumentStore } from '../../../core';
import type { Database } from '../database/database';
import { createChoices } from './choices';
import { locksOn } from './locks';
import { prepareRead } from './prepared-read';
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
  return {
    strays,
    changes: database.changes,
    prepare: (plan) => prepareRead(plan, tableOf, database, kept, isTable),
    transaction: timedTransaction(async (work) => {
      let aftermath: Aftermath | undefined;
      const answer = await database.transaction(async (connection) => {
        const transaction = createSqlTransaction(connection, statements);
        // Of an attempt that lost, nothing is left to be done.
        aftermath = transaction.aftermath;
        const result = await work(transaction);
        await transaction.finish();
        return result;
      });
      await aftermath?.carryOut();
      return answer;
    }),
  };
}
