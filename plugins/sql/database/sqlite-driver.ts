import type BetterSqlite3 from 'better-sqlite3';

/** Version 13 needs Node-API 10 and crashes below it; version 12 serves older runtimes. */
const driverName = (): string => (Number(process.versions['napi']) >= 10 ? 'better-sqlite3' : 'better-sqlite3-v12');

export function sqliteDriver(): typeof BetterSqlite3 {
  return require(driverName()) as typeof BetterSqlite3;
}
