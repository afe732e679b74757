import type { Connection, Database } from '../database/database';

/** A number of 63 bits for a text; two texts of one number only wait for each other without need. */
function numberFor(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0x7fffffffffffffffn;
  return hash;
}

const buckets = 4_096n;

/**
 * Makes writers of the same things wait for each other until their transactions end. SQLite has one writer anyway,
 * PostgreSQL has advisory locks; on MySQL and MariaDB, whose named locks outlive transactions, rows of `heddle_locks` are
 * taken. Always in the order of their numbers, so that two writers of the same things do not wait for each other.
 */
export function locksOn(database: Database): (connection: Connection, keys: readonly string[]) => Promise<void> {
  switch (database.dialect.name) {
    case 'sqlite':
      return async () => undefined;
    case 'postgres':
      return async (connection, keys) => {
        const numbers = keys
          .map(numberFor)
          .sort((a, b) => (a < b ? -1 : 1))
          .map(String);
        await connection.post(
          { sql: 'select 1 from (select pg_advisory_xact_lock(n) from unnest($1::bigint[]) n) l' },
          [numbers],
        );
      };
    case 'mysql':
      return async (connection, keys) => {
        const rows = [...new Set(keys.map((key) => Number(numberFor(key) % buckets) + 1))].sort((a, b) => a - b);
        const sql = `insert into heddle_locks (id) values ${rows.map(() => '(?)').join(',')} on duplicate key update id=id`;
        await connection.post({ sql }, rows);
      };
  }
}
