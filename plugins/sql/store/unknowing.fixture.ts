import type { StoreTransaction } from '../../../core';
import { layoutOf } from '../layout/tables';
import { modelsOf } from '../models';
import type { LinkedApp } from './linked-app.fixture';
import { locksOn } from './locks/locks';
import { createTypeTables } from './tables/type-table';
import { createTies } from './ties/ties';
import { createRowStatements } from './writes/row-statements';
import { createSqlTransaction, type SqlTransaction } from './writes/sql-transaction';

/** A transaction that knows of nothing that was done before on the same connection. */
export function unknowing(app: LinkedApp, transaction: StoreTransaction): SqlTransaction {
  const { dialect } = app.database;
  const locks = locksOn(app.database);
  const tableOf = createTypeTables(layoutOf(modelsOf(app.registry, { indexes: {}, renderings: true })), dialect);
  return createSqlTransaction((transaction as SqlTransaction).connection, {
    rows: createRowStatements(dialect, tableOf),
    tiesOn: createTies(dialect, tableOf, locks),
    locks,
  });
}
