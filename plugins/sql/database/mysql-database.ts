import type { Knex } from 'knex';
import type { Connection as RawConnection, ResultSetHeader } from 'mysql2';
import type { KnownTables } from '../changes/notes';
import { mysql } from '../dialects/mysql';
import type { Changed, Database, Rows, Statement } from './database';
import { createInnodbWatch } from './innodb-watch';
import { createPooledDatabase, type Driver } from './pooled-database';

/** Texts of whole documents are put together on the server; its default would cut them at one megabyte or less. */
const longestText = 1_073_741_824;

const session = [
  `set session group_concat_max_len = ${longestText}, session time_zone = '+00:00'`,
  'set session transaction isolation level read committed',
  // Every condition on a relation is two tables in one join, whose orders would all be tried: twenty take minutes.
  'set session optimizer_search_depth = 3',
];

function execute(raw: RawConnection, { sql }: Statement, values: readonly unknown[]): Promise<unknown> {
  // A number would be sent as a double, which a limit does not take; as text, the server converts it exactly.
  const texts = values.map((value) => (typeof value === 'number' || typeof value === 'bigint' ? String(value) : value));
  return new Promise((resolve, reject) => {
    raw.execute({ sql, rowsAsArray: true }, texts as never, (error, result) =>
      error ? reject(error) : resolve(result),
    );
  });
}

const asked = (raw: RawConnection, sql: string): Promise<Rows> =>
  new Promise((resolve, reject) => {
    raw.query({ sql, rowsAsArray: true }, (error, result) => (error ? reject(error) : resolve(result as Rows)));
  });

export function createMysqlDatabase(config: Knex.Config, dependents?: KnownTables['dependents']): Database {
  const driver: Driver<RawConnection> = {
    dialect: mysql,
    client: require('knex/lib/dialects/mysql2/index.js'),
    config: {
      ...config,
      connection: {
        ...(config.connection as object),
        charset: 'utf8mb4',
        timezone: 'Z',
        dateStrings: true,
        jsonStrings: true,
        supportBigNumbers: true,
        bigNumberStrings: true,
        maxPreparedStatements: 200,
      } as Knex.MySql2ConnectionConfig,
    },
    session,
    begin: () => 'start transaction',
    rows: async (raw, statement, values) => (await execute(raw, statement, values)) as Rows,
    async run(raw, statement, values): Promise<Changed> {
      const { affectedRows, insertId } = (await execute(raw, statement, values)) as ResultSetHeader;
      return { changes: affectedRows, firstId: insertId };
    },
    plain: (raw, sql) =>
      new Promise((resolve, reject) => raw.query(sql, (error, result) => (error ? reject(error) : resolve(result)))),
    watch: (line) => createInnodbWatch({ ...line, rows: asked }),
  };
  return createPooledDatabase(driver, dependents);
}
