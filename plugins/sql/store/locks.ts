import type { Connection, Database } from '../database/database';

/** A number of 63 bits for a text; two texts of one number only wait for each other without need. */
function numberFor(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0x7fffffffffffffffn;
  return hash;
}

const buckets = 4_096n;

/**
 * Makes writers of one thing wait for each other until their transactions end. SQLite has one writer anyway, PostgreSQL
 * has advisory locks; on MySQL and MariaDB, whose named locks outlive transactions, a row of `heddle_locks` is taken.
 */
export function locksOn(database: Database): (connection: Connection, key: string) => Promise<void> {
  switch (database.dialect.name) {
    case 'sqlite':
      return async () => undefined;
    case 'postgres':
      return async (connection, key) => {
        await connection.rows({ sql: 'select 1 from (select pg_advisory_xact_lock($1::bigint)) l' }, [
          String(numberFor(key)),
        ]);
      };
    case 'mysql':
      return async (connection, key) => {
        await connection.run({ sql: 'insert into heddle_locks (id) values (?) on duplicate key update id=id' }, [
          Number(numberFor(key) % buckets) + 1,
        ]);
      };
  }
}
