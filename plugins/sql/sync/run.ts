import type { Knex } from 'knex';

import type { DialectName } from '../dialects/dialect';

export type Row = Readonly<Record<string, unknown>>;
export type Binding = string | number | boolean | null;

/** Runs one statement, always on the same connection, and answers its rows. */
export type Run = (sql: string, bindings?: readonly Binding[]) => Promise<readonly Row[]>;

export function runOn(knex: Knex, dialect: DialectName, connection?: unknown): Run {
  return async (sql, bindings = []) => {
    const raw = knex.raw(sql, bindings);
    return rowsOf(dialect, await (connection === undefined ? raw : raw.connection(connection)));
  };
}

function rowsOf(dialect: DialectName, answer: unknown): readonly Row[] {
  const rows =
    dialect === 'postgres'
      ? (answer as { rows?: unknown }).rows
      : dialect === 'mysql'
        ? (answer as readonly unknown[])[0]
        : answer;
  return Array.isArray(rows) ? (rows as Row[]) : [];
}
