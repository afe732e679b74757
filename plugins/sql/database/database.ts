import type { Knex } from 'knex';
import type { Changes, Logger } from '../../../core';
import type { Dialect } from '../dialects/dialect';

/** A statement's text, and how it is asked. */
export interface Statement {
  readonly sql: string;
  /** Asked once by a process, with no values: MariaDB and MySQL would take longer to prepare it than to answer it. */
  readonly isAskedOnce?: boolean;
  /** What it finds is answered: its length is bounded. */
  readonly isAnswered?: boolean;
  /** It may look at many times the rows that there are: its time is bounded, too. */
  readonly multiplies?: boolean;
  /** What is set on MariaDB for as long as it runs. */
  readonly settings?: string | undefined;
}

export type Rows = unknown[][];

/**
 * A connection that belongs to one piece of work until that ends. Statements answer rows as arrays; their values belong to it
 * and are not to be changed, for they may be sent later.
 */
export interface Connection {
  rows(statement: Statement, values: readonly unknown[]): Rows | Promise<Rows>;
  /**
   * Reads what the transaction has written, nothing being asked after it: it may be committed on the same way, so that whoever fails
   * at the answer undoes nothing any more. Absent where that saves no way, or something else is to come last.
   */
  lastRows?(statement: Statement, values: readonly unknown[]): Promise<Rows>;
  /**
   * Runs a statement that changes something; answers how many rows it changed and, after an insert, the first of the ids that
   * the database gave.
   */
  run(statement: Statement, values: readonly unknown[]): Changed | Promise<Changed>;
  /**
   * Runs a statement whose answer nobody needs. On a server nobody waits for it, but for too many: if it fails, what comes
   * after it fails with the same, and nothing is committed.
   */
  post(statement: Statement, values: readonly unknown[]): void | Promise<void>;
}

export interface Changed {
  readonly changes: number;
  readonly firstId: number;
}

/** What a watch sees. */
export interface Watched {
  /** Differs once anything was written since. */
  readonly version: string;
  /** Whether all that has been written can be seen, so that what is read from now on belongs to this version. */
  readonly isAtRest: boolean;
}

/** Looks whether anything was written, by whomever, where a database tells that only when it is asked. */
export interface Watch {
  /** Undefined where the database doesn't tell. */
  look(): Promise<Watched | undefined>;
  /** Whether it sees all that is written into these tables. */
  sees(tables: readonly string[]): Promise<boolean>;
}

/** Does for tables what a server does by itself where that is switched off there. */
export interface Upkeep {
  /** Looks after tables from now on, until the database is closed. */
  begin(tables: readonly string[], log: Logger): void;
}

/** One database, behind the least that the store needs of it. */
export interface Database {
  readonly dialect: Dialect;
  /** How long what is answered to one read may be. */
  readonly maxAnswerBytes: number;
  /** Opens it; throws what a person can act on. */
  open(): Promise<void>;
  /** To be called once all tables are there, with what has to be run on a connection that writes. */
  ready(statements: readonly string[]): Promise<void>;
  /** Reads outside any transaction, seeing what is committed. */
  rows(statement: Statement, values: readonly unknown[]): Rows | Promise<Rows>;
  /** Runs work in a transaction, again if it lost against another writer. */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /** The number that the schema has while these triggers stand in it; absent where it has none. */
  readonly standing?: (triggers: ReadonlyMap<string, string>) => () => number;
  /**
   * A text that differs whenever what can be read may differ; undefined where only the database's answers can tell,
   * or nothing can.
   */
  version(): string | undefined;
  /**
   * How many connections to a server have been opened: after its crash, or another in its place, answers may tell a version
   * again that was told of other data, but over connections that are opened after that.
   */
  opened?(): number;
  /** Where asking costs a statement: worth it for what costs more. */
  readonly watch?: Watch;
  /** Absent where a database looks after its tables by itself, or needs no care. */
  readonly upkeep?: Upkeep;
  /** What has changed, by tables; those of other programs, too, where the database tells of them. */
  readonly changes: Changes;
  /** For definitions and whatever is dynamic. On SQLite it shares the connection that writes, and its queue. */
  knex(): Knex;
  /** Why it can't be used now; undefined when it can. */
  trouble(): Promise<string | undefined>;
  close(): Promise<void>;
}
