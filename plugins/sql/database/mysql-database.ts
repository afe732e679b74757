import type { Socket } from 'node:net';
import { createConnection, type Connection as RawConnection } from 'mysql2';
import type { KnownTables } from '../changes/notes';
import type { TransactionWords } from '../changes/statement-kinds';
import { mysql, orderedBytes } from '../dialects/mysql';
import { type CountedAnswers, countAnswers } from './answer-length';
import type { ServerConfig } from './connections';
import type { Database, Rows } from './database';
import { createInnodbWatch } from './innodb-watch';
import { mysqlKnexClient } from './mysql-knex';
import { createStatements, mostPrepared, plain } from './mysql-statements';
import { atMost, patience } from './patience';
import { createPooledDatabase, type Driver } from './pooled-database';

/** Texts of whole documents are put together on the server; its default would cut them at one megabyte or less. */
const longestText = 1_073_741_824;

/** Every condition on a relation is two tables in one join, whose orders would all be tried: twenty take minutes. */
const mostOrders = 3;

const session = [
  `set session group_concat_max_len = ${longestText}, max_sort_length = ${orderedBytes}, time_zone = '+00:00', optimizer_search_depth = ${mostOrders}`,
  'set session transaction isolation level read committed',
];

/** Of the flags that come with an answer: whether a transaction is open, and whether none has to be begun. */
const inTransaction = 1;
const committingByItself = 2;

interface Told {
  readonly serverStatus: number;
}

/** It commits at definitions, at a second beginning, in procedures, and where a comment that it carries out says so. */
const words: TransactionWords<RawConnection> = {
  leaving:
    /^(?:\(|(?:select|insert|update|delete|replace|values|with|explain|show|savepoint|release|rollback\s+(?:work\s+)?to|do|set(?!\s+(?:statement|password|default)\b|[^;]*(?:autocommit|completion_type))|(?:create|drop)\s+temporary)\b)/i,
  // Under locks of tables all others are out of reach, and in an XA transaction every other.
  untellable: /^(?:lock\s+tables?|flush\b[^;]*\b(?:with\s+read\s+lock|for\s+export)|backup|xa)\b/i,
  async stateOn(raw, answer) {
    const [told] = (answer ?? []) as readonly (Told | readonly unknown[] | undefined)[];
    const { serverStatus } = told && 'serverStatus' in told ? told : ((await plain(raw, 'do 0')) as Told);
    return serverStatus & inTransaction || !(serverStatus & committingByItself) ? 'open' : 'none';
  },
};

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

const connected = (raw: RawConnection): Promise<void> =>
  new Promise((resolve, reject) => raw.connect((error) => (error ? reject(error) : resolve())));

/** The driver's own way waits for what is asked to be answered. */
const cut = (raw: RawConnection): void => void (raw as unknown as Watched).stream.destroy();

/** One that can't say goodbye is cut off, also where a silent server doesn't come to it. */
async function close(raw: RawConnection): Promise<void> {
  let hasEnded = false;
  const end = new Promise<void>((resolve) =>
    raw.end((error) => {
      hasEnded = !error;
      resolve();
    }),
  );
  await atMost(patience, end);
  if (!hasEnded) cut(raw);
}

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
    maxPreparedStatements: mostPrepared,
  };
  const statements = createStatements();
  const answers = new WeakMap<RawConnection, CountedAnswers>();

  async function counted<T>(raw: RawConnection, answer: Promise<T>): Promise<T> {
    answers.get(raw)?.asked();
    try {
      return await answer;
    } finally {
      answers.get(raw)?.answered();
    }
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
    async connect(raw) {
      await connected(raw);
      answers.set(raw, countAnswers((raw as unknown as Watched).stream, config.maxAnswerBytes));
    },
    close,
    cut,
    isUsable,
    async prepare(raw) {
      for (const sql of session) await plain(raw, sql);
    },
    begin: () => 'start transaction',
    rows(raw, statement, values) {
      const answer = statements.rows(raw, statement, values);
      return statement.isAnswered ? counted(raw, answer) : answer;
    },
    run: statements.run,
    together(raw, all) {
      const answer = statements.together(raw, all);
      return all.some(({ isAnswered }) => isAnswered) ? counted(raw, answer) : answer;
    },
    plain,
    words,
    watch: (line, idleAfter) => createInnodbWatch({ ...line, rows: asked, cut }, idleAfter),
  };
  return createPooledDatabase(driver, config, dependents);
}
