import { accessSync, constants, statSync } from 'node:fs';
import type { Changes } from '../../../core';
import type { KnownTables } from '../changes/notes';
import { recordWriter } from '../changes/recorded-writer';
import type { Connection } from './database';
import { connectionOn, openForWriting, type Sqlite, type SqliteSettings } from './sqlite-connection';

interface Opened {
  readonly database: Sqlite;
  readonly connection: Connection;
  readonly changes: Changes;
}

/** Tells a file from another that came in its place. */
function identityOf(filename: string): string | undefined {
  const found = statSync(filename, { throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}

/** As SQLite's own error of a file that it can't open. */
const unopened = (message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code: 'SQLITE_CANTOPEN' });

/** SQLite opens a file that nobody may write without a word, for reading, and so it would stay. */
function refuseUnwritable(filename: string): void {
  try {
    accessSync(filename, constants.W_OK);
  } catch (error) {
    throw unopened(`the file ${filename} can not be written`, error);
  }
}

/**
 * The connection that writes, which is opened by whoever writes first. Each connection reads and keeps what the whole schema
 * says: where there are a hundred types, that is a tenth of a start and 8 MB, and many a process only reads.
 */
export class SqliteWriter {
  private current: Opened | undefined;
  private readied: readonly string[] = [];
  private isClosed = false;
  /** The file that is read. */
  private file: string | undefined;

  constructor(
    private readonly settings: SqliteSettings,
    private readonly dependents: KnownTables['dependents'],
  ) {}

  get inTransaction(): boolean {
    return this.current?.database.inTransaction ?? false;
  }

  /** Has it write that file only which has this name now: of what came in its place, readers would see a part. */
  hold(): void {
    this.file = identityOf(this.settings.filename);
  }

  /** Has the connection run these before anything else, or now, where it is open. */
  ready(statements: readonly string[]): void {
    this.readied = statements;
    if (this.current) this.prepare(this.current.database);
  }

  opened(): Opened {
    if (this.current) return this.current;
    if (this.isClosed) throw new Error('The database connection is not open');
    const { filename } = this.settings;
    if (this.file !== identityOf(filename))
      throw unopened(`the file ${filename} is not the one that it was at the start`);
    refuseUnwritable(filename);
    const database = openForWriting(this.settings);
    try {
      const changes = recordWriter(database, this.dependents);
      this.prepare(database);
      this.current = { database, connection: connectionOn(database, this.settings), changes };
      return this.current;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  close(): void {
    this.isClosed = true;
    this.current?.database.close();
  }

  private prepare(database: Sqlite): void {
    for (const sql of this.readied) database.exec(sql);
  }
}
