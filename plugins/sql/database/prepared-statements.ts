import type { Connection, PrepareStatementInfo } from 'mysql2';
import { Lru } from '../../../core';

/** How many statements a connection keeps prepared; the one that was used longest ago makes room. */
export const mostPrepared = 200;

/** Runs a statement, prepared when it first comes. */
export type Execute = (sql: string, values: readonly unknown[]) => Promise<unknown>;

type Preparing = Pick<Connection, 'prepare' | 'unprepare'>;

/**
 * Runs statements that one connection keeps prepared. The driver's own `execute` finds them by their whole text, puts that
 * together at each run and makes two commands of it: half of the processor time that a short statement takes.
 */
export function executeOn(raw: Preparing, most = mostPrepared): Execute {
  const statements = new Lru<PrepareStatementInfo>(most);

  function keep(sql: string, statement: PrepareStatementInfo): void {
    const forgotten = statements.set(sql, statement);
    if (forgotten !== undefined) raw.unprepare(forgotten);
  }

  return (sql, values) =>
    new Promise((resolve, reject) => {
      const run = (statement: PrepareStatementInfo): void =>
        void statement.execute(values, (error, result) =>
          error ? reject(Object.assign(error, { sql })) : resolve(result),
        );
      const known = statements.get(sql);
      if (known) return run(known);
      raw.prepare(sql, (error, statement) => {
        if (error) return reject(error);
        keep(sql, statement);
        run(statement);
      });
    });
}
