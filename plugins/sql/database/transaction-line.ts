import type { Changed, Connection, Rows, Statement } from './database';

/** A driver's connection: it takes statements while others are on their way, and answers in their order. */
export interface DriverConnection {
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
  /** In place of a rollback where the connection is gone: nothing more is sent. */
  abandon(): void;
}

/** How many changes may be on their way that nobody waits for. */
const mostPosted = 64;

/** What is told to whoever asks for something after the end. */
export const over = (): Error => new Error('The transaction is over: nothing can be done in it any more');

const none = (): void => undefined;
const changes = ({ sql }: Statement): boolean => !/^\s*select\b/i.test(sql);

/**
 * Puts the statements of a transaction in a line, in which they go ahead of answers: each is sent as it comes, but for
 * changes before the transaction has begun, which would be made for good. None is sent after a failure that is known, or
 * after the transaction's end.
 */
export function createTransactionLine(driver: DriverConnection): TransactionLine {
  let failure: { readonly error: unknown } | undefined;
  let isBegun = false;
  let isOver = false;
  let last: Promise<unknown> = Promise.resolve();
  let unsent = 0;
  let posted = 0;
  let committing: Promise<unknown> | undefined;

  function proceed(): void {
    if (isOver) throw over();
    if (failure) throw failure.error;
  }

  /** Answers when all before it are answered, for what failed first is to be known first. */
  function sentAhead<T>(run: () => Promise<T>, before: Promise<unknown>): Promise<T> {
    const answer = run();
    answer.catch(none);
    return before.then(() => answer);
  }

  function sentInTurn<T>(run: () => Promise<T>, before: Promise<unknown>): Promise<T> {
    unsent += 1;
    return before.then(() => {
      unsent -= 1;
      if (failure) throw failure.error;
      return run();
    });
  }

  async function told<T>(answer: Promise<T>): Promise<T> {
    try {
      const value = await answer;
      if (failure) throw failure.error;
      return value;
    } catch (error) {
      failure ??= { error };
      throw failure.error;
    }
  }

  function send<T>(run: () => Promise<T>, mayGoAhead: boolean): Promise<T> {
    const answer = told(mayGoAhead && unsent === 0 ? sentAhead(run, last) : sentInTurn(run, last));
    // Its failure is told by all that come after it, and by the commit.
    last = answer.catch(none);
    return answer;
  }

  const sendStatement = <T>(statement: Statement, run: () => Promise<T>): Promise<T> =>
    send(run, isBegun || !changes(statement));

  async function next<T>(statement: Statement, run: () => Promise<T>): Promise<T> {
    proceed();
    return sendStatement(statement, run);
  }

  function abandon(): void {
    isOver = true;
    failure ??= { error: over() };
  }

  return {
    connection: {
      rows: (statement, values) => next(statement, () => driver.rows(statement, values)),
      async lastRows(statement, values) {
        proceed();
        // However long it is: the commit may come before its end.
        const answer = sendStatement(statement, () => driver.rows({ sql: statement.sql }, values));
        isOver = true;
        // Where the server fails at something before it, it takes it for a rollback, and the failure is told.
        committing = send(() => driver.plain('commit'), true);
        return answer;
      },
      run: (statement, values) => next(statement, () => driver.run(statement, values)),
      post(statement, values) {
        proceed();
        posted += 1;
        const answer = sendStatement(statement, () => driver.run(statement, values)).finally(() => {
          posted -= 1;
        });
        answer.catch(none);
        return posted < mostPosted ? undefined : answer.then(none);
      },
    },
    begin(sql) {
      const begun = send(() => driver.plain(sql), true);
      begun.then(() => {
        isBegun = true;
      }, none);
    },
    async commit() {
      if (committing) return void (await committing);
      proceed();
      isOver = true;
      await last;
      // PostgreSQL takes the commit of what failed for a rollback, and says nothing.
      if (failure) throw failure.error;
      await driver.plain('commit');
    },
    abandon,
    async rollback() {
      abandon();
      // What fails before a commit that was sent has made it a rollback.
      await (committing ? committing.catch(none) : driver.plain('rollback'));
    },
  };
}
