import type { StoreTransaction } from '../../../core';
import type { Connection } from '../database/database';
import { createAdded } from './added';
import type { RowStatements } from './row-statements';
import type { createTies } from './ties';

/** A store transaction on its database connection. */
export interface SqlTransaction extends StoreTransaction {
  readonly connection: Connection;
}

interface Statements {
  readonly rows: RowStatements;
  readonly tiesOn: ReturnType<typeof createTies>;
  readonly lock: (connection: Connection, keys: readonly string[]) => Promise<void>;
}

export function createSqlTransaction(connection: Connection, { rows, tiesOn, lock }: Statements): SqlTransaction {
  const added = createAdded();
  return {
    connection,
    lock: (...keys) => (keys.length > 0 ? lock(connection, keys) : undefined),
    insert: (type, given) => rows.insert(connection, type, given, added),
    update(type, match, values) {
      added.changed(type);
      return rows.update(connection, type, match, values);
    },
    delete(type, match) {
      added.removed();
      return rows.delete(connection, type, match);
    },
    rows: (type, match, names) => added.rowsOf(type, match, names) ?? rows.rows(connection, type, match, names),
    holding: (type, attribute, values, match) => rows.holding(connection, type, attribute, values, match),
    ...tiesOn(connection, added),
  };
}
