import type { Socket } from 'node:net';
import { createConnection, type Connection as RawConnection, type ResultSetHeader } from 'mysql2';
import type { KnownTables } from '../changes/notes';
import { mysql } from '../dialects/mysql';
import type { ServerConfig } from './connections';
import type { Changed, Database, Rows, Statement } from './database';
import { createInnodbWatch } from './innodb-watch';
import { mysqlKnexClient } from './mysql-knex';
import { createPooledDatabase, type Driver } from './pooled-database';
import { type Execute, executeOn, mostPrepared } from './prepared-statements';

/** Texts of whole documents are put together on the server; its default would cut them at one megabyte or less. */
const longestText = 1_073_741_824;

/** Every condition on a relation is two tables in one join, whose orders would all be tried: twenty take minutes. */
const mostOrders = 3;

const session = [
  `set session group_concat_max_len = ${longestText}, time_zone = '+00:00', optimizer_search_depth = ${mostOrders}`,
  'set session transaction isolation level read committed',
];

/** A number would be sent as a double, which a limit does not take; as text, the server converts it exactly. */
const sendable = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;

const plain = (raw: RawConnection, sql: string): Promise<unknown> =>
  new Promise((resolve, reject) => raw.query(sql, (error, result) => (error ? reject(error) : resolve(result))));

const asked = async (raw: RawConnection, sql: string): Promise<Rows> => (await plain(raw, sql)) as Rows;

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
    rowsAsArray: true,
    // One more is prepared before another makes room.
    maxPreparedStatements: mostPrepared + 1,
  };
  const executes = new WeakMap<RawConnection, Execute>();

  function execute(raw: RawConnection, { sql }: Statement, values: readonly unknown[]): Promise<unknown> {
    let run = executes.get(raw);
    if (!run) {
      run = executeOn(raw);
      executes.set(raw, run);
    }
    return run(sql, values.map(sendable));
  }

  const driver: Driver<RawConnection> = {
    dialect: mysql,
    knexClient: mysqlKnexClient,
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
