import type { Dialect } from './dialect';
import type { Run } from './run';

/** What a database has, by table name. */
export type Existing = ReadonlyMap<string, ExistingTable>;

export interface ExistingTable {
  readonly columns: ReadonlySet<string>;
  readonly indexes: ReadonlySet<string>;
  /** Indexes that have rows without a value last. */
  readonly nullsLast: ReadonlySet<string>;
}

// One statement per dialect: each row is a column or an index of a table.
const catalogs: Readonly<Record<Dialect, string>> = {
  sqlite: `
    select m.name as tbl, 'column' as kind, c.name as name
    from sqlite_master m join pragma_table_xinfo(m.name) c where m.type = 'table'
    union all select tbl_name, 'index', name from sqlite_master where type = 'index'`,
  postgres: `
    select c.relname as tbl, 'column' as kind, a.attname as name
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace
    union all select t.relname, case when x.indoption[0] & 2 = 0 then 'index with nulls last' else 'index' end, i.relname
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    where t.relnamespace = current_schema()::regnamespace`,
  mysql: `
    select table_name as tbl, 'column' as kind, column_name as name
    from information_schema.columns where table_schema = database()
    union all select distinct table_name, 'index', index_name
    from information_schema.statistics where table_schema = database()`,
};

export async function introspect(run: Run, dialect: Dialect): Promise<Existing> {
  const tables = new Map<string, { columns: Set<string>; indexes: Set<string>; nullsLast: Set<string> }>();
  for (const row of await run(catalogs[dialect])) {
    const name = String(row.tbl);
    const table = tables.get(name) ?? { columns: new Set(), indexes: new Set(), nullsLast: new Set() };
    tables.set(name, table);
    (row.kind === 'column' ? table.columns : table.indexes).add(String(row.name));
    if (row.kind === 'index with nulls last') table.nullsLast.add(String(row.name));
  }
  return tables;
}
