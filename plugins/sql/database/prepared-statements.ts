import type { Connection, PrepareStatementInfo } from 'mysql2';
import { Lru } from '../../../core';
import { isFull } from './failures';

/** Runs one statement with values. */
export type Run = (values: readonly unknown[]) => Promise<unknown>;

/** Finds what runs a statement, which is prepared when it first comes. */
export type Prepared = (sql: string) => Run | Promise<Run>;

/** Characters in all that one connection keeps. */
const mostText = 2_000_000;

/** Characters of a statement that an error tells. */
const longestTold = 2_000;

type Preparing = Pick<Connection, 'prepare' | 'unprepare'>;

/**
 * Statements that one connection keeps prepared, so many of them: the one that was used longest ago makes room, also where
 * the server has none. The driver's own `execute` finds them by their whole text, puts that together at each run and makes
 * two commands of it: half of the processor time that a short statement takes. `forgets` is told which one makes room.
 */
export function preparedOn(raw: Preparing, most: number, forgets: (sql: string) => void = () => undefined): Prepared {
  const runs = new Lru<Run>(most, mostText);

  function runOf(sql: string, statement: PrepareStatementInfo): Run {
    return (values) =>
      new Promise((resolve, reject) => {
        statement.execute(values, (error, result) =>
          error ? reject(Object.assign(error, { sql: sql.slice(0, longestTold) })) : resolve(result),
        );
      });
  }

  function forget(sql: string): void {
    runs.delete(sql);
    raw.unprepare(sql);
    forgets(sql);
  }

  const prepare = (sql: string): Promise<PrepareStatementInfo> =>
    new Promise((resolve, reject) => {
      raw.prepare(sql, (error, statement) => (error ? reject(error) : resolve(statement)));
    });

  async function prepareInRoom(sql: string): Promise<PrepareStatementInfo> {
    try {
      return await prepare(sql);
    } catch (error) {
      const { oldest } = runs;
      if (!isFull(error) || oldest === undefined) throw error;
      forget(oldest);
      return prepare(sql);
    }
  }

  async function keep(sql: string): Promise<Run> {
    const run = runOf(sql, await prepareInRoom(sql));
    const forgotten = runs.set(sql, run);
    if (forgotten.includes(sql)) return (values) => run(values).finally(() => raw.unprepare(sql));
    forgotten.forEach(forget);
    return run;
  }

  return (sql) => runs.get(sql) ?? keep(sql);
}
