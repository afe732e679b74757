import type { Knex } from 'knex';

import type { DialectName } from '../dialects/dialect';
import { runOn } from './run';

// For tests: how every table is defined, as lines of text to compare.

// The peer rewrites a table of SQLite to add a key, each key twice: what counts is what SQLite understood, once.
const sqlite = `
  select m.name as tbl, 1 as part, c.cid as pos, concat_ws(' ', 'column', c.name, c.type, c."notnull", c.dflt_value, c.pk, c.hidden) as line
  from sqlite_master m join pragma_table_xinfo(m.name) c where m.type = 'table' and m.name not like 'sqlite_%'
  union select m.name, 2, 0, concat_ws(' ', 'index', i.name, i."unique", i.partial,
    (select group_concat(ifnull(p.name, 'expression'), ', ') from pragma_index_info(i.name) p))
  from sqlite_master m join pragma_index_list(m.name) i where m.type = 'table'
  union select m.name, 3, 0, concat_ws(' ', 'key', k."from", k."table", k."to", k.on_update, k.on_delete)
  from sqlite_master m join pragma_foreign_key_list(m.name) k where m.type = 'table'
  order by tbl, part, pos, line`;

const postgres = `
  select c.relname as tbl, a.attnum as pos, concat_ws(' ', 'column', a.attname, format_type(a.atttypid, a.atttypmod),
    case when a.attnotnull then 'not null' end, pg_get_expr(d.adbin, d.adrelid), nullif(co.collname, 'default')) as line
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  left join pg_collation co on co.oid = a.attcollation
  where c.relkind = 'r' and c.relnamespace = quote_ident(current_schema())::regnamespace
  union all select tablename, 10000, indexdef from pg_indexes where schemaname = current_schema()
  union all select c.relname, 20000, concat_ws(' ', k.conname, pg_get_constraintdef(k.oid))
  from pg_constraint k join pg_class c on c.oid = k.conrelid where c.relnamespace = quote_ident(current_schema())::regnamespace
  order by 1, 2, 3`;

export type Definitions = Readonly<Record<string, readonly string[]>>;

export async function definitionsIn(knex: Knex, dialect: DialectName): Promise<Definitions> {
  const lines =
    dialect === 'mysql' ? await mysqlLines(knex) : await runOn(knex, dialect)(dialect === 'sqlite' ? sqlite : postgres);
  const definitions: Record<string, string[]> = {};
  for (const { tbl, line } of lines) definitions[String(tbl)] = [...(definitions[String(tbl)] ?? []), String(line)];
  return definitions;
}

async function mysqlLines(knex: Knex): Promise<{ tbl: string; line: string }[]> {
  const run = runOn(knex, 'mysql');
  const tables = await run('select table_name as name from information_schema.tables where table_schema = database()');
  const lines = tables.map(async ({ name }) => {
    const [created] = await run(`show create table \`${name}\``);
    const text = String(created?.['Create Table']).replace(/ AUTO_INCREMENT=\d+/, '');
    return text.split('\n').map((line) => ({ tbl: String(name), line: line.replace(/,$/, '') }));
  });
  return (await Promise.all(lines)).flat();
}

/** Without what Heddle adds to the tables of its own databases, so that they can be compared to the peer's. */
export function asThePeerHasThem(definitions: Definitions): Definitions {
  const tables = Object.entries(definitions).filter(([table]) => !table.startsWith('heddle_'));
  return Object.fromEntries(tables.map(([table, lines]) => [table, lines.filter(isThePeers).map(withoutCollation)]));
}

export const isLookup = (text: string): boolean => /\bh_\w+_idx\b/.test(text);

/** Without the indexes that Heddle adds to adopted databases, too. */
export const withoutLookups = (definitions: Definitions): Definitions =>
  Object.fromEntries(
    Object.entries(definitions).map(([table, lines]) => [table, lines.filter((line) => !isLookup(line))]),
  );

const isThePeers = (line: string): boolean => !/\bh_(live|loc|\w+_row)\b/.test(line) && !isLookup(line);

const withoutCollation = (line: string): string =>
  line.replace(/ CHARACTER SET utf8mb4| COLLATE[ =]\w+/g, '').replace(/ C$/, '');
