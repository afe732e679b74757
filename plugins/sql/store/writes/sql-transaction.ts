import { Aftermath, type StoreTransaction } from '../../../../core';
import type { Connection } from '../../database/database';
import { type Locks, lockingOn } from '../locks/locks';
import { createAdded } from '../ties/added';
import type { createTies } from '../ties/ties';
import type { RowStatements } from './row-statements';

/** A store transaction on its database connection. */
export interface SqlTransaction extends StoreTransaction {
  /** For whatever reads what the transaction has done. */
  readonly connection: Connection;
  /** To be called before the end: sends what waits for company, unless a write that was made along has failed. */
  finish(): void | Promise<void>;
}

interface Statements {
  readonly rows: RowStatements;
  readonly tiesOn: ReturnType<typeof createTies>;
  readonly locks: Locks;
}

/**
 * Ties may wait while rows are added and read, which has nothing to do with them. Only a trigger of others could tell, that
 * runs when a row is added and looks at the ties of other rows.
 */
export function createSqlTransaction(bare: Connection, { rows, tiesOn, locks }: Statements): SqlTransaction {
  const aftermath = new Aftermath();
  const added = createAdded();
  const { late, methods } = tiesOn(bare, added);
  const lock = lockingOn(bare, locks);
  return {
    connection: late.connection,
    aftermath,
    finish() {
      aftermath.refuseFailed();
      return late.finish();
    },
    lock: (...keys) => lock(keys),
    insert: (type, given) => rows.insert(bare, type, given, added),
    update(type, match, values) {
      added.changed(type, match);
      return rows.update(late.connection, type, match, values);
    },
    delete(type, match) {
      added.removed();
      return rows.delete(late.connection, type, match);
    },
    rows: (type, match, names, most) => added.rowsOf(type, match, names) ?? rows.rows(bare, type, match, names, most),
    holding: (type, attribute, values, match) => rows.holding(bare, type, attribute, values, match),
    ...methods,
  };
}
