import type { Changed, Connection, Rows, Statement } from './database';

/** A connection of a server's driver, which takes statements while others are on their way, and answers in their order. */
export interface RawConnection {
  rows(statement: Statement, values: readonly unknown[]): Promise<Rows>;
  run(statement: Statement, values: readonly unknown[]): Promise<Changed>;
  plain(sql: string): Promise<unknown>;
}

/** The statements of one transaction. */
export interface TransactionLine {
  readonly connection: Connection;
  /** What begins the transaction comes before all else, and nobody waits for it. */
  begin(sql: string): void;
  /** Fails with whatever failed before it. */
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/**
 * Puts the statements of a transaction in a line. Where the server takes them ahead of its answers, each is sent as it
 * comes; elsewhere when the one before it is answered. None is sent after one that failed, or after the transaction's
 * end: MySQL, which undoes a transaction by itself when writers wait for each other in a circle, would keep what it does.
 */
export function createTransactionLine(raw: RawConnection, takesAhead: boolean): TransactionLine {
  let failure: { readonly error: unknown } | undefined;
  let isOver = false;
  let last: Promise<unknown> = Promise.resolve();

  function refuseAfterFailure(): void {
    if (failure) throw failure.error;
  }

  async function sent<T>(run: () => Promise<T>, before: Promise<unknown> | undefined): Promise<T> {
    if (before) await before;
    refuseAfterFailure();
    try {
      return await run();
    } catch (error) {
      failure ??= { error };
      throw failure.error;
    }
  }

  function next<T>(run: () => Promise<T>): Promise<T> {
    if (isOver) return Promise.reject(new Error('The transaction is over: nothing can be done in it any more'));
    const answer = sent(run, takesAhead ? undefined : last);
    // Its failure is told by all that come after it, and by the commit.
    last = answer.catch(() => undefined);
    return answer;
  }

  return {
    connection: {
      rows: (statement, values) => next(() => raw.rows(statement, values)),
      run: (statement, values) => next(() => raw.run(statement, values)),
      post(statement, values) {
        const answer = next(() => raw.run(statement, values));
        return takesAhead ? undefined : answer.then(() => undefined);
      },
    },
    begin: (sql) => void next(() => raw.plain(sql)),
    async commit() {
      const committed = next(() => raw.plain('commit'));
      isOver = true;
      await committed;
      // PostgreSQL takes the commit of what failed for a rollback, and says nothing.
      refuseAfterFailure();
    },
    async rollback() {
      isOver = true;
      await raw.plain('rollback');
    },
  };
}
