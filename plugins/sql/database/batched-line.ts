import type { Changed, Rows, Statement } from './database';
import { over, type TransactionLine } from './transaction-line';

/** A statement with its values; `plain` is one without any, whose answer nobody needs: a beginning or an end. */
export interface Asked {
  readonly kind: 'rows' | 'run' | 'post' | 'plain';
  readonly sql: string;
  readonly values: readonly unknown[];
  /** As of a statement. */
  readonly isAnswered?: boolean | undefined;
  readonly settings?: string | undefined;
}

/** Rows to one that asks for rows, what changed to a `run`, nothing to others. */
export type Answered = Rows | Changed | undefined;

export interface BatchDriver {
  /** Sends statements in their order, and none after one that failed; then all have that failure. */
  together(all: readonly Asked[]): Promise<readonly Answered[]>;
  plain(sql: string): Promise<unknown>;
}

interface Waiting extends Asked {
  resolve(answer: Answered): void;
  reject(error: unknown): void;
}

/** What is sent at once: far below what a server takes, in values and in bytes. */
const mostAtOnce = 64;
const mostValues = 8_000;
const mostLength = 250_000;

/**
 * Characters of which a transaction's answer is made at most, so that it is certain to be answered: as JSON they come to six times
 * as many, and a server takes a million in one answer, if not told otherwise.
 */
const mostCertain = 100_000;

/** How many changes may wait that nobody waits for. */
const mostPosted = 256;

const none = (): void => undefined;

const lengthOf = (value: unknown): number => (typeof value === 'string' || Buffer.isBuffer(value) ? value.length : 0);

/** Takes from the front as many as may be sent at once, one at least. */
function takeBatch(waiting: Waiting[]): Waiting[] {
  let count = 0;
  let length = 0;
  const end = waiting.findIndex(({ values }, at) => {
    count += values.length;
    for (const value of values) length += lengthOf(value);
    return at > 0 && (at >= mostAtOnce || count > mostValues || length > mostLength);
  });
  return waiting.splice(0, end < 0 ? waiting.length : end);
}

/**
 * The statements of one transaction, for a server that answers each before it takes the next: what is asked for before
 * somebody has to wait for an answer is sent together. None is sent after one that failed, or after the transaction's end:
 * MySQL, which undoes a transaction by itself when writers wait for each other in a circle, would keep what it does.
 */
export function createBatchedLine(driver: BatchDriver): TransactionLine {
  let waiting: Waiting[] = [];
  let sending: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;
  let isOver = false;
  let committing: Promise<Answered> | undefined;
  let given = 0;

  function fail(error: unknown, all: readonly Waiting[]): void {
    failure ??= { error };
    for (const each of all) each.reject(failure.error);
  }

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const all = takeBatch(waiting);
      if (failure) fail(failure.error, all);
      else
        try {
          const answers = await driver.together(all);
          for (const [at, each] of all.entries()) each.resolve(answers[at]);
        } catch (error) {
          fail(error, all);
        }
    }
    sending = undefined;
  }

  /** Whatever else is asked for in this turn comes with it. */
  const whenAllHaveCome = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

  function ask(kind: Asked['kind'], statement: Statement, values: readonly unknown[]): Promise<Answered> {
    const { sql, isAnswered, settings } = statement;
    if (failure) throw failure.error;
    for (const value of values) given += lengthOf(value);
    const answer = new Promise<Answered>((resolve, reject) =>
      waiting.push({ kind, sql, values, isAnswered, settings, resolve, reject }),
    );
    // Its failure is told by all that come after it, and by the commit.
    answer.catch(none);
    sending ??= whenAllHaveCome().then(sendAll);
    return answer;
  }

  function abandon(): void {
    isOver = true;
    fail(over(), waiting);
    waiting = [];
  }

  function proceed(): void {
    if (isOver) throw over();
  }

  function end(): Promise<Answered> {
    isOver = true;
    committing = ask('plain', { sql: 'commit' }, []);
    return committing;
  }

  return {
    connection: {
      async rows(statement, values) {
        proceed();
        return (await ask('rows', statement, values)) as Rows;
      },
      async lastRows({ sql }, values) {
        proceed();
        // However long it is: the commit may come before its end.
        const answer = ask('rows', { sql }, values);
        if (given <= mostCertain) void end();
        return (await answer) as Rows;
      },
      async run(statement, values) {
        proceed();
        return (await ask('run', statement, values)) as Changed;
      },
      post(statement, values) {
        proceed();
        const answer = ask('post', statement, values);
        return waiting.length < mostPosted ? undefined : answer.then(none);
      },
    },
    begin: (sql) => void ask('plain', { sql }, []),
    async commit() {
      if (!committing) proceed();
      await (committing ?? end());
    },
    abandon,
    async rollback() {
      abandon();
      await sending;
      await driver.plain('rollback');
    },
  };
}
