import type BetterSqlite3 from 'better-sqlite3';
import { atEndOfTurn, type Changes } from '../../../core';
import type { Rows } from '../database/database';
import { createNotes, type KnownTables } from './notes';
import { anything, createNumbers } from './numbers';
import { isUnforeseen, unforeseenSql } from './unforeseen';

type Sqlite = BetterSqlite3.Database;

const wholeRollback = /^\s*rollback(?!\s+(?:transaction\s+)?to\b)/i;
const reading = /^\s*select\b/i;
const methods = ['run', 'get', 'all', 'iterate'] as const;

/**
 * Knows what is changed on the connection that writes, whoever uses it, from the moment at which others can read it. Commits
 * of other connections and programs move its `data_version`, which its own commits don't: then anything may have changed.
 */
export function recordWriter(writer: Sqlite, dependents: KnownTables['dependents']): Changes {
  const numbers = createNumbers();
  const known = { dependents, doesMore: false };
  const notes = createNotes(known);
  const version = writer.prepare<unknown[]>('pragma data_version').pluck();
  const schema = writer.prepare<unknown[]>('pragma schema_version').pluck();
  const temporary = writer.prepare<unknown[]>('pragma temp.schema_version').pluck();
  const unforeseen = writer.prepare<unknown[]>(unforeseenSql.sqlite).raw();
  let seen = version.get();
  let learntOf: unknown;
  let hasBegun = false;

  /** Triggers and their like may come, and go, with whatever changes definitions, also such as are there for this connection alone. */
  function learn(): void {
    const now = `${schema.get()} ${temporary.get()}`;
    if (now === learntOf) return;
    known.doesMore = isUnforeseen(unforeseen.all() as Rows, dependents);
    learntOf = now;
  }

  /** What was done is done: that the file is kept by another process for a moment is not told of it. */
  function learnOrFear(): void {
    try {
      learn();
    } catch {
      known.doesMore = true;
      learntOf = undefined;
    }
  }

  /** After each statement: what is no longer in a transaction is there for everybody. */
  function ran(sql: string): void {
    if (notes.tables.size === 0 || writer.inTransaction) return;
    if (!wholeRollback.test(sql)) numbers.raise(notes.tables);
    if (hasBegun && notes.tables.has(anything)) learnOrFear();
    notes.tables.clear();
  }

  function recorded(sql: string, run: (...values: never[]) => unknown, self: object, values: unknown[]): unknown {
    notes.add(sql);
    try {
      return run.apply(self, values as never[]);
    } finally {
      ran(sql);
    }
  }

  const { prepare, exec } = writer;
  writer.exec = (sql) => recorded(sql, exec, writer, [sql]) as Sqlite;
  writer.prepare = ((sql: string) => {
    const statement = prepare.call(writer, sql);
    if (reading.test(sql) && statement.readonly) return statement;
    for (const method of methods) {
      const run = statement[method];
      statement[method] = ((...values: unknown[]) => recorded(sql, run, statement, values)) as never;
    }
    return statement;
  }) as Sqlite['prepare'];

  return {
    async begin() {
      hasBegun = true;
      learn();
    },
    catchUp: atEndOfTurn(() => {
      let now: unknown;
      try {
        now = version.get();
        if (hasBegun && (now !== seen || learntOf === undefined)) learn();
      } catch {
        // Another process keeps the file to itself for a moment, and may write.
        now = undefined;
      }
      if (now !== seen || now === undefined) numbers.raise([anything]);
      seen = now;
      return numbers.current;
    }),
    latest: numbers.latest,
  };
}
