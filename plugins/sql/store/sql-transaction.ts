import type { StoreTransaction } from '../../../core';
import type { Connection } from '../database/database';
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

export const createSqlTransaction = (connection: Connection, { rows, tiesOn, lock }: Statements): SqlTransaction => ({
  connection,
  lock: (...keys) => (keys.length > 0 ? lock(connection, keys) : undefined),
  insert: (type, added) => rows.insert(connection, type, added),
  update: (type, match, values) => rows.update(connection, type, match, values),
  delete: (type, match) => rows.delete(connection, type, match),
  rows: (type, match, attributes) => rows.rows(connection, type, match, attributes),
  holding: (type, attribute, values, match) => rows.holding(connection, type, attribute, values, match),
  ...tiesOn(connection),
});
