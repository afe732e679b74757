import type { Connection } from '../../database/database';
import type { TieInserts } from './tie-inserts';
import type { AddedTies } from './tie-lists';

/** Ties that wait at once. */
const mostWaiting = 5_000;

const none = (): void => undefined;

/**
 * Ties that a transaction adds. They wait until something is done that may have to do with them; then those of one table
 * are added together. Once that has failed, nothing succeeds any more.
 */
export interface LateTies {
  /** For whatever may have to do with ties: what waits is sent before it. */
  readonly connection: Connection;
  /** To be waited for where it answers later: too many have come. */
  add(all: readonly AddedTies[]): void | Promise<void>;
  /** Sends what waits, and answers when it is known where all that was sent came to stand. */
  told(): void | Promise<void>;
  /** Sends what waits at the end; nothing can be added any more. */
  finish(): void | Promise<void>;
}

export function createLateTies(connection: Connection, inserts: TieInserts): LateTies {
  let waiting: AddedTies[] = [];
  let count = 0;
  let sending: Promise<void> | undefined;
  let telling: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;
  let isOver = false;

  function failed(error: unknown): never {
    failure ??= { error };
    throw failure.error;
  }

  /** Nobody need wait for it: if it fails, all that comes after it does. */
  function tell(told: Promise<void>): void {
    const own = (telling ? Promise.all([telling, told]) : told).then(() => {
      if (telling === own) telling = undefined;
    }, failed);
    own.catch(none);
    telling = own;
  }

  function sent(all: readonly AddedTies[]): void | Promise<void> {
    try {
      return inserts.send(connection, all, tell);
    } catch (error) {
      failed(error);
    }
  }

  function send(): void | Promise<void> {
    if (failure) throw failure.error;
    if (count === 0) return sending;
    const all = waiting;
    waiting = [];
    count = 0;
    const answer = sending ? sending.then(() => sent(all)) : sent(all);
    if (!answer) return undefined;
    const own = answer.then(() => {
      if (sending === own) sending = undefined;
    }, failed);
    // Who comes next is told of a failure.
    own.catch(none);
    sending = own;
    return own;
  }

  function behind<T>(run: () => T | Promise<T>): T | Promise<T> {
    const before = send();
    return before ? before.then(run) : run();
  }

  return {
    connection: {
      rows: (statement, values) => behind(() => connection.rows(statement, values)),
      lastRows:
        connection.lastRows && (async (statement, values) => behind(() => connection.lastRows!(statement, values))),
      run: (statement, values) => behind(() => connection.run(statement, values)),
      post: (statement, values) => behind(() => connection.post(statement, values)),
    },
    add(all) {
      if (isOver) throw new Error('The transaction is over: nothing can be tied in it any more');
      for (const each of all) {
        waiting.push(each);
        count += each.added.length;
      }
      return count < mostWaiting ? undefined : send();
    },
    told() {
      const before = send();
      return before ? before.then(() => telling) : telling;
    },
    finish() {
      isOver = true;
      return send();
    },
  };
}
