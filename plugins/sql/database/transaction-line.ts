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

const none = (): void => undefined;

/**
 * Puts the statements of a transaction in a line. Where the server takes them ahead of its answers, each is sent as it
 * comes; elsewhere when the one before it is answered. None is sent after one that failed, or after the transaction's
 * end: MySQL, which undoes a transaction by itself when writers wait for each other in a circle, would keep what it does.
 */
export function createTransactionLine(raw: RawConnection, takesAhead: boolean): TransactionLine {
  let failure: { readonly error: unknown } | undefined;
  let isOver = false;
  let last: Promise<unknown> = Promise.resolve();

  function proceed(): void {
    if (isOver) throw new Error('The transaction is over: nothing can be done in it any more');
    if (failure) throw failure.error;
  }

  /** Answers when all before it are answered, for what failed first is to be known first. */
  function sentAhead<T>(run: () => Promise<T>, before: Promise<unknown>): Promise<T> {
    const answer = run();
    answer.catch(none);
    return before.then(() => answer);
  }

  function sentInTurn<T>(run: () => Promise<T>, before: Promise<unknown>): Promise<T> {
    return before.then(() => {
      if (failure) throw failure.error;
      return run();
    });
  }

  async function told<T>(answer: Promise<T>): Promise<T> {
    try {
      const value = await answer;
      // PostgreSQL takes the commit of what failed for a rollback, and says nothing.
      if (failure) throw failure.error;
      return value;
    } catch (error) {
      failure ??= { error };
      throw failure.error;
    }
  }

  function send<T>(run: () => Promise<T>): Promise<T> {
    const answer = told(takesAhead ? sentAhead(run, last) : sentInTurn(run, last));
    // Its failure is told by all that come after it, and by the commit.
    last = answer.catch(none);
    return answer;
  }

  async function next<T>(run: () => Promise<T>): Promise<T> {
    proceed();
    return send(run);
  }

  return {
    connection: {
      rows: (statement, values) => next(() => raw.rows(statement, values)),
      run: (statement, values) => next(() => raw.run(statement, values)),
      post(statement, values) {
        proceed();
        const answer = send(() => raw.run(statement, values));
        return takesAhead ? undefined : answer.then(none);
      },
    },
    begin: (sql) => void send(() => raw.plain(sql)),
    async commit() {
      proceed();
      const committed = send(() => raw.plain('commit'));
      isOver = true;
      await committed;
    },
    async rollback() {
      isOver = true;
      await raw.plain('rollback');
    },
  };
}
