import type { Knex } from 'knex';
import type { ScalarStorage } from '../../../core';
import { client, openForeign, type Place } from './database-app.fixture';

// For tests: a second, slow and simple way from a table's rows to the answer, which knows nothing of the store.

type Raw = Readonly<Record<string, unknown>>;

/** Rows as the driver gives them, with no digit lost. */
export async function rawRows(knex: Knex, place: Place): Promise<Raw[]> {
  if (client === 'sqlite') {
    const Driver = require(Number(process.versions['napi']) >= 10 ? 'better-sqlite3' : 'better-sqlite3-v12');
    const file = new Driver(place.name, { readonly: true });
    const rows = file.prepare('select * from things order by id').safeIntegers().all() as Raw[];
    file.close();
    return rows;
  }
  if (client === 'mysql') {
    const mysql = require('mysql2/promise') as typeof import('mysql2/promise');
    const connection = await mysql.createConnection({
      host: '127.0.0.1',
      user: 'root',
      database: place.name,
      dateStrings: true,
      supportBigNumbers: true,
      bigNumberStrings: true,
      jsonStrings: true,
      timezone: 'Z',
    });
    await connection.query("set session time_zone='+00:00'");
    const [rows] = await connection.execute('select * from things order by id');
    await connection.end();
    return rows as Raw[];
  }
  const columns = await knex('things').columnInfo();
  const texts = Object.keys(columns).map((name) => knex.raw('??::text as ??', [name, name]));
  const rows = await knex('things').select(texts).orderByRaw('things.id');
  return rows as Raw[];
}

const isoOf = (text: string): string => {
  const [day, time] = text.split(/[ T]/) as [string, string];
  return new Date(`${day}T${time.slice(0, 12).padEnd(9, '.').padEnd(12, '0')}Z`).toISOString();
};

const moment = (value: unknown): string =>
  client === 'sqlite' ? new Date(Number(value)).toISOString() : isoOf(String(value));

function parsed(value: unknown): unknown {
  try {
    return JSON.parse(String(value));
  } catch {
    return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY ? null : value;
  }
}

const truths: readonly unknown[] = [1, 1n, '1', 'true', true];

const shownAs: Readonly<Record<ScalarStorage, (value: unknown) => unknown>> = {
  string: String,
  text: String,
  date: String,
  time: (value) => `${String(value).slice(0, 8)}.${String(value).slice(9, 12).padEnd(3, '0')}`,
  datetime: moment,
  timestamp: (value) => String(Date.parse(moment(value))),
  integer: Number,
  biginteger: String,
  float: Number,
  decimal: Number,
  boolean: (value) => truths.includes(value),
  json: parsed,
};

/** What a list of these columns has to look like, to the byte. */
export function rendered(
  rows: readonly Raw[],
  columns: readonly (readonly [name: string, column: string, storage: ScalarStorage])[],
): string {
  return JSON.stringify(
    rows.map((row) =>
      Object.fromEntries(
        columns.map(([name, column, storage]) => {
          const value = row[column] ?? null;
          return [name, value === null ? null : shownAs[storage](value)];
        }),
      ),
    ),
  );
}

export { openForeign };
