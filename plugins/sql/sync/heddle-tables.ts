import { slotTable } from '../changes/slots';
import type { DialectName } from '../dialects/dialect';
import { idColumn, storageColumn, uniqueIndex } from '../layout/columns';
import type { Table } from '../layout/layout';
import { fixed, joinName } from '../layout/names';

/** Made-by and the state of the tables as of the last start, by key. */
export const metaTable: Table = {
  name: 'heddle_meta',
  columns: [idColumn, storageColumn('key', 'string'), storageColumn('value', 'text')],
  indexes: [uniqueIndex('heddle_meta_key', 'key')],
  foreignKeys: [],
};

/** Rows that writers of one thing lock, where the database has no locks that end with a transaction. */
const lockTable: Table = { name: 'heddle_locks', columns: [idColumn], indexes: [], foreignKeys: [] };

/** Where processes on one server tell each other what they changed; a SQLite file tells by itself. */
const changesTable: Table = {
  name: slotTable,
  columns: [
    idColumn,
    storageColumn('count', 'biginteger'),
    storageColumn('tables', 'text'),
    storageColumn('used_at', 'datetime'),
  ],
  indexes: [],
  foreignKeys: [],
};

const ofDialect: Readonly<Record<DialectName, readonly Table[]>> = {
  sqlite: [metaTable],
  postgres: [metaTable, changesTable],
  mysql: [metaTable, lockTable, changesTable],
};

/** The tables that Heddle adds to every database, an adopted one too. */
export const heddleTables = (dialect: DialectName): readonly Table[] => ofDialect[dialect];

/** The name of the unique index that keeps one row per document, locale and status. */
export const rowIndexName = (table: string): string => joinName(fixed('h'), table, fixed('row'));

/** MariaDB indexes no expressions: these generated columns stand for them. */
export const rowIndexColumns = { live: 'h_live', locale: 'h_loc' } as const;
