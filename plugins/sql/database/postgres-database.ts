import type { Socket } from 'node:net';
import type { Client, QueryArrayConfig, QueryArrayResult, QueryConfig } from 'pg';
import type { KnownTables } from '../changes/notes';
import type { TransactionState, TransactionWords } from '../changes/statement-kinds';
import { postgres } from '../dialects/postgres';
import { type CountedAnswers, countAnswers } from './answer-length';
import type { ServerConfig } from './connections';
import type { Changed, Database, Rows, Statement } from './database';
import { asOneOfWriters, asOnlyWriter } from './every-writer';
import { atMost, patience } from './patience';
import { createPooledDatabase, type Driver } from './pooled-database';
import { endIfUnreadable, postgresDriver } from './postgres-driver';
import { createPostgresUpkeep } from './postgres-upkeep';
import { createStatementNames } from './statement-names';

type Parser = (text: string) => unknown;

const whole = new Set([21, 23]);
const booleanType = 16;

/** Values as text, but for the two kinds that every reader wants parsed. */
const types = {
  getTypeParser: (oid: number): Parser =>
    whole.has(oid) ? Number : oid === booleanType ? (text) => text === 't' : (text) => text,
};

/**
 * Writers that wait for each other in a circle, as those who publish documents that link each other do, are found out by
 * the server after a second. No writer waits that long: it gives way, and comes again when it has the database to itself.
 */
const begin = (isAlone: boolean): string =>
  `begin; set local lock_timeout = '10s'; ${
    isAlone ? asOnlyWriter : `${asOneOfWriters}; set local lock_timeout = '300ms'`
  }`;

/**
 * What the driver is to do with a statement. It copies every property that a config holds itself, at each run: these inherit
 * all of them, and those of a statement that has a name are the same.
 */
function createConfigs(): (sql: string) => QueryArrayConfig {
  const nameOf = createStatementNames();
  const named = new Map<string, QueryArrayConfig>();
  return (sql) => {
    const known = named.get(sql);
    if (known) return known;
    const name = nameOf(sql);
    const config = Object.create({ name, text: sql, rowMode: 'array', types }) as QueryArrayConfig;
    if (name !== undefined) named.set(sql, config);
    return config;
  };
}

/** What the driver's client has besides what its types say. Several statements at once, which nobody reads, it answers by a list. */
interface PipelinedClient {
  pipeline: boolean;
  query(
    what: QueryConfig | QueryArrayConfig,
    values: unknown[] | undefined,
    answered: (error: Error | null, result: QueryArrayResult<unknown[]>) => void,
  ): void;
  readonly connection: { readonly stream: Socket };
  /** The server's, which works for this client alone. */
  readonly processID: number;
  /** From when it is connected. */
  answers?: CountedAnswers;
}

/** Statements of one turn are sent in one piece. */
function sendTogether({ pipeline, connection: { stream } }: PipelinedClient): void {
  if (!pipeline || stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/**
 * Not by a promise of the driver's own: V8 takes each of these to be held by that of the query before, though both are done, and so
 * keeps the rows of all until it goes through everything.
 */
async function answer(
  client: PipelinedClient,
  what: QueryConfig | QueryArrayConfig,
  values?: unknown[],
  counted?: CountedAnswers,
) {
  counted?.asked();
  try {
    return await new Promise<QueryArrayResult<unknown[]>>((resolve, reject) => {
      client.query(what, values, (error, result) => (error ? reject(error) : resolve(result)));
    });
  } catch (error) {
    // It tells of the driver's socket; who asked is of more use.
    Error.captureStackTrace(error as Error);
    throw error;
  } finally {
    counted?.answered();
  }
}

const session = "set time zone 'UTC'; set jit = off; set datestyle = 'ISO'; set extra_float_digits = 1";

const pipelined = (raw: Client): PipelinedClient => raw as unknown as PipelinedClient;

function plain(raw: Client, sql: string): Promise<unknown> {
  sendTogether(pipelined(raw));
  return answer(pipelined(raw), { text: sql });
}

/** What the last answer of a server says. */
const states: Readonly<Record<string, TransactionState>> = { I: 'none', T: 'open', E: 'failed' };

/** Nothing but an end ends a transaction, and only what is called or done may come to one. */
const words: TransactionWords<Client> = {
  leaving:
    /^(?!(?:call|do|begin|start|commit|end|abort|prepare\s+transaction|rollback(?!\s+(?:(?:transaction|work)\s+)?to\b))\b)[a-z(]/i,
  async stateOn(raw, answer) {
    // A failure is told before the state that it leaves behind.
    if (answer === undefined) await plain(raw, '');
    return states[raw.getTransactionStatus() ?? 'I']!;
  },
};

/** A setting that is one text is one name, whatever it holds; an empty one is none. */
const searchingIn = (path: ServerConfig['searchPath'] = []): readonly string[] => {
  const names = [path]
    .flat()
    .filter(Boolean)
    .map((name) => `"${name.replaceAll('"', '""')}"`);
  return names.length > 0 ? [`set search_path to ${names.join(', ')}`] : [];
};

export function createPostgresDatabase(config: ServerConfig, dependents?: KnownTables['dependents']): Database {
  const { Client: PostgresClient } = postgresDriver();
  const configOf = createConfigs();
  const cut = (raw: Client): void => void pipelined(raw).connection.stream.destroy();

  async function query(raw: Client, { sql, isAnswered }: Statement, values: readonly unknown[]) {
    const client = pipelined(raw);
    sendTogether(client);
    return answer(client, configOf(sql), [...values], isAnswered ? client.answers : undefined);
  }

  const driver: Driver<Client> = {
    dialect: postgres,
    knexClient: () => require('knex/lib/dialects/postgres/index.js'),
    make: () => new PostgresClient(config.connection),
    async connect(raw) {
      await raw.connect();
      const { stream } = pipelined(raw).connection;
      endIfUnreadable(stream);
      pipelined(raw).answers = countAnswers(stream, config.maxAnswerBytes);
    },
    async close(raw) {
      await atMost(patience, raw.end());
      // A server that is silent does not take leave.
      cut(raw);
    },
    cut,
    isUsable: () => true,
    prepare: (raw) => raw.query([session, ...searchingIn(config.searchPath)].join('; ')),
    begin,
    rows: async (raw, statement, values) => (await query(raw, statement, values)).rows as unknown as Rows,
    async run(raw, statement, values): Promise<Changed> {
      const { rowCount, rows } = await query(raw, statement, values);
      return { changes: rowCount ?? 0, firstId: Number((rows as unknown as Rows)[0]?.[0] ?? 0) };
    },
    plain,
    words,
    ending: (raw) => `select pg_cancel_backend(${pipelined(raw).processID})`,
    // Not for knex: what streams rows through it needs answers before the next statement.
    letGoAhead(raw, isOn) {
      pipelined(raw).pipeline = isOn;
    },
    upkeep: createPostgresUpkeep,
    cutsShort: "set lock_timeout = '20ms'; set statement_timeout = '100ms'",
  };
  return createPooledDatabase(driver, config, dependents);
}
