import type { Socket } from 'node:net';
import { createConnection, type Connection as RawConnection, type ResultSetHeader } from 'mysql2';
import type { KnownTables } from '../changes/notes';
import { mysql } from '../dialects/mysql';
import type { ServerConfig } from './connections';
import type { Changed, Database, Rows, Statement } from './database';
import { createInnodbWatch } from './innodb-watch';
import { createPooledDatabase, type Driver } from './pooled-database';

/** Texts of whole documents are put together on the server; its default would cut them at one megabyte or less. */
const longestText = 1_073_741_824;

/** Every condition on a relation is two tables in one join, whose orders would all be tried: twenty take minutes. */
const mostOrders = 3;

const session = [
  `set session group_concat_max_len = ${longestText}, time_zone = '+00:00', optimizer_search_depth = ${mostOrders}`,
  'set session transaction isolation level read committed',
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

const plain = (raw: RawConnection, sql: string): Promise<unknown> =>
  new Promise((resolve, reject) => raw.query(sql, (error, result) => (error ? reject(error) : resolve(result))));

/** What the driver's connection has besides what its types say. */
interface Watched {
  readonly _fatalError?: unknown;
  readonly _protocolError?: unknown;
  readonly _closing: boolean;
  readonly stream: Socket;
}

function isUsable(raw: RawConnection): boolean {
  const { _fatalError, _protocolError, _closing, stream } = raw as unknown as Watched;
  return !_fatalError && !_protocolError && !_closing && !stream.destroyed;
}

const connect = (raw: RawConnection): Promise<void> =>
  new Promise((resolve, reject) => raw.connect((error) => (error ? reject(error) : resolve())));

/** One that can't say goodbye is cut off. */
const close = (raw: RawConnection): Promise<void> =>
  new Promise((resolve) =>
    raw.end((error) => {
      if (error) raw.destroy();
      resolve();
    }),
  );

export function createMysqlDatabase(config: ServerConfig, dependents?: KnownTables['dependents']): Database {
  const connection = {
    ...config.connection,
    charset: 'utf8mb4',
    timezone: 'Z',
    dateStrings: true,
    jsonStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    maxPreparedStatements: 200,
  };

  const driver: Driver<RawConnection> = {
    dialect: mysql,
    knexClient: () => require('knex/lib/dialects/mysql2/index.js'),
    make() {
      const raw = createConnection(connection);
      // A connection that is printed does not show it.
      Object.defineProperty(raw.config, 'password', { enumerable: false });
      return raw;
    },
    connect,
    close,
    isUsable,
    async prepare(raw) {
      for (const sql of session) await plain(raw, sql);
    },
    begin: () => 'start transaction',
    rows: async (raw, statement, values) => (await execute(raw, statement, values)) as Rows,
    async run(raw, statement, values): Promise<Changed> {
      const { affectedRows, insertId } = (await execute(raw, statement, values)) as ResultSetHeader;
      return { changes: affectedRows, firstId: insertId };
    },
    plain,
    watch: (line) => createInnodbWatch({ ...line, rows: asked }),
  };
  return createPooledDatabase(driver, config, dependents);
}
