import type { DialectName } from '../dialects/dialect';
import { renderedBy } from '../layout/identifiers';
import type { Triggers } from './rendered-rows';
import type { Run } from './run';

/** What a database has, by table name. */
export type Existing = ReadonlyMap<string, ExistingTable>;

export interface ExistingTable {
  readonly columns: ReadonlySet<string>;
  /** Those of them that are too long for an index on a server, whatever they are now said to hold. */
  readonly longColumns: ReadonlySet<string>;
  readonly indexes: ReadonlySet<string>;
  /** Indexes that have rows without a value last, by whatever column. */
  readonly nullsLast: ReadonlySet<string>;
  /** The columns of indexes that stand for the table, each behind the name of its index and a blank. */
  readonly narrow: ReadonlySet<string>;
  /** What keeps the texts of its rows. */
  readonly triggers: Triggers;
}

// One statement per dialect: each row is a column, an index or a trigger of a table, or a column of the index that stands for it.
const catalogs: Readonly<Record<DialectName, string>> = {
  sqlite: `
    select m.name as tbl, 'column' as kind, c.name as name
    from sqlite_master m join pragma_table_xinfo(m.name) c where m.type = 'table'
    union all select tbl_name, 'index', name from sqlite_master where type = 'index'
    union all select m.tbl_name, 'narrow', m.name || ' ' || c.name from sqlite_master m join pragma_index_info(m.name) c
    where m.type = 'index' and m.name glob 'h_*_narrow'
    union all select tbl_name, 'trigger', name || char(10) || sql from sqlite_master where type = 'trigger'`,
  postgres: `
    select c.relname as tbl, case when y.typlen = -1 and y.typname <> 'numeric' and a.atttypmod not between 1 and 259
      then 'long column' else 'column' end as kind, a.attname as name
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type y on y.oid = a.atttypid
    where c.relkind in ('r', 'p') and c.relnamespace = quote_ident(current_schema())::regnamespace
    union all select t.relname, case when exists (select from unnest(x.indoption) o where o & 2 <> 0) then 'index' else 'index with nulls last' end, i.relname
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    where t.relnamespace = quote_ident(current_schema())::regnamespace
    union all select t.relname, 'narrow', i.relname || ' ' || a.attname
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    join pg_attribute a on a.attrelid = i.oid
    where i.relname like 'h\\_%\\_narrow' and t.relnamespace = quote_ident(current_schema())::regnamespace`,
  mysql: `
    select table_name as tbl, if(character_maximum_length > 255, 'long column', 'column') as kind, column_name as name
    from information_schema.columns where table_schema = database()
    union all select table_name, 'index', index_name
    from information_schema.statistics where table_schema = database() and seq_in_index = 1
    union all select table_name, 'narrow', concat(index_name, ' ', column_name)
    from information_schema.statistics where table_schema = database() and index_name like 'h\\_%\\_narrow'`,
};

interface Found {
  readonly columns: Set<string>;
  readonly longColumns: Set<string>;
  readonly indexes: Set<string>;
  readonly nullsLast: Set<string>;
  readonly narrow: Set<string>;
  readonly triggers: Map<string, string>;
}

export async function introspect(run: Run, dialect: DialectName): Promise<Existing> {
  const tables = new Map<string, Found>();
  for (const row of await run(catalogs[dialect])) {
    const name = String(row.tbl);
    const table = tables.get(name) ?? {
      columns: new Set(),
      longColumns: new Set(),
      indexes: new Set(),
      nullsLast: new Set(),
      narrow: new Set(),
      triggers: new Map(),
    };
    tables.set(name, table);
    const found = String(row.name);
    if (row.kind === 'column' || row.kind === 'long column') table.columns.add(found);
    else if (row.kind === 'narrow') table.narrow.add(found);
    else if (row.kind === 'trigger') addTrigger(table.triggers, found);
    else table.indexes.add(found);
    if (row.kind === 'long column') table.longColumns.add(found);
    if (row.kind === 'index with nulls last') table.nullsLast.add(found);
  }
  return tables;
}

function addTrigger(triggers: Map<string, string>, found: string): void {
  const at = found.indexOf('\n');
  const name = found.slice(0, at);
  if (renderedBy(name)) triggers.set(name, found.slice(at + 1));
}
