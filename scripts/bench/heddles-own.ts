import type { Client, Place } from './databases';
import { withStatements } from './statements';

/**
 * Queries of statements that take away what only Heddle needs, which all of its names tell (`plugins/sql/layout/identifiers.ts`,
 * `plugins/sql/sync/heddle-tables.ts`). One after the other: columns that an index is of can go behind that only.
 */
const removals: Readonly<Record<Client, readonly string[]>> = {
  sqlite: [
    `select 'drop trigger "'||name||'"' as removal from sqlite_master where type='trigger' and name glob 'h_*'`,
    `select 'drop table "'||name||'"' as removal from sqlite_master where type='table' and (name glob 'h_*' or name glob 'heddle_*')`,
    `select 'drop index "'||name||'"' as removal from sqlite_master where type='index' and name glob 'h_*'`,
    // Nor does the file stay as large as it was with all of it.
    `select 'vacuum' as removal`,
  ],
  postgres: [
    `select 'drop table '||quote_ident(tablename) as removal from pg_tables where schemaname=current_schema() and tablename ~ '^heddle_'`,
    `select 'drop index '||quote_ident(indexname) as removal from pg_indexes where schemaname=current_schema() and indexname ~ '^h_'`,
  ],
  mysql: [
    `select concat('drop table \`',table_name,'\`') as removal from information_schema.tables
     where table_schema=database() and table_name regexp '^heddle_'`,
    `select distinct concat('alter table \`',table_name,'\` drop key \`',index_name,'\`') as removal from information_schema.statistics
     where table_schema=database() and index_name regexp '^h_'`,
    `select concat('alter table \`',table_name,'\` drop column \`',column_name,'\`') as removal from information_schema.columns
     where table_schema=database() and column_name regexp '^h_' and generation_expression is not null`,
  ],
};

/** Leaves of a database that Heddle made what a Strapi project has in its own: no writes pay for what Heddle keeps there. */
export const removeHeddlesOwn = (place: Place): Promise<void> =>
  withStatements(place, async (run) => {
    for (const query of removals[place.client]) for (const { removal } of await run(query)) await run(String(removal));
  });
