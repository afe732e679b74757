import type { Knex } from 'knex';
import { isGone } from '../database/failures';
import type { Turns } from '../database/turns';
import { handedTo, type Taker } from './handed-rows';
import type { Notes } from './notes';
import type { SharedChanges } from './shared-changes';
import type { Entry, Writing } from './slots';
import { kindOf, mayForbidTelling, type TransactionWords } from './statement-kinds';
import { bare, writtenBy } from './written';

interface Asked {
  readonly sql: string;
  /** What the driver answered: rows, and what it says of them; or an object that has them. */
  readonly response?: unknown;
}

interface KnexClient<Raw> {
  _query(raw: Raw, asked: Asked): Promise<unknown>;
  /** Ends when all rows were taken out of the stream. */
  _stream(raw: Raw, asked: Asked, to: Taker, ...options: readonly unknown[]): Promise<unknown>;
}

export interface KnexClientClass<Raw> {
  // biome-ignore lint/suspicious/noExplicitAny: what TypeScript demands of a class that another one extends
  new (...args: any[]): KnexClient<Raw>;
}

/** What the client does beside knex's own statements. */
export interface Beside<Raw extends object> {
  readonly changes: () => SharedChanges;
  readonly words: TransactionWords<Raw>;
  writingOn(raw: Raw): Writing;
  plain(raw: Raw, sql: string): Promise<unknown>;
  /** Works with a connection that nobody else has, and of which nothing is set. */
  elsewhere(work: (raw: Raw) => Promise<void>): Promise<void>;
  /** To be called of a connection on which something may be left open. */
  broke(raw: Raw): void;
  readonly turns: Turns<Raw>;
}

/** A transaction that is open on a connection. */
interface Open {
  readonly notes: Notes;
  /** Whether what tells of it may not be written in it. */
  mayForbid: boolean;
  /** Whether a statement in it has failed: it may have failed with that. */
  hadFailure: boolean;
  /** Whether something of it may have been committed, whatever it comes to. */
  mayStand: boolean;
  /** What it was told by before its end. */
  ahead?: Entry;
}

/** What holds its locks until another transaction ends it. */
const setsAside = /^prepare\s+transaction\b/i;

/**
 * A client of knex that tells what its statements change, in the transactions in which they do. Where these end, the server
 * says: a text can't, for procedures, definitions and comments may end one, and chains begin the next.
 */
export function recordingClient<Raw extends object>(
  Base: KnexClientClass<Raw>,
  { changes, words, writingOn, plain, elsewhere, broke, turns }: Beside<Raw>,
): typeof Knex.Client {
  const open = new WeakMap<Raw, Open>();
  /** Connections of which something was set that may forbid to write what tells of changes. */
  const forbidding = new WeakSet<Raw>();

  const opened = (mayForbid: boolean, mayStand = false): Open => ({
    notes: changes().notes(),
    mayForbid,
    mayStand,
    hadFailure: false,
  });

  const isToBeTold = (sql: string): boolean => changes().isWanted && writtenBy(sql) !== undefined;

  class RecordingClient extends Base {
    override _query(raw: Raw, asked: Asked): Promise<unknown> {
      return turns.take(raw, () => this.recorded(raw, asked));
    }

    private async recorded(raw: Raw, asked: Asked): Promise<unknown> {
      const { sql } = asked;
      if (changes().isWanted && words.untellable?.test(bare(sql)))
        throw new Error(
          'What is written behind this statement could not be told to who keeps answers: lock rows, or a name',
        );
      const transaction = open.get(raw);
      const kind = kindOf(sql, words.leaving);
      if (transaction)
        switch (kind) {
          case 'leaves':
            return this.within(raw, asked, transaction);
          case 'keeps':
            return this.kept(raw, asked, transaction);
          case 'undoes':
            return this.undone(raw, asked, transaction);
          default:
            return this.around(raw, asked, transaction);
        }
      if (kind === 'begins') {
        const result = await super._query(raw, asked);
        open.set(raw, opened(forbidding.has(raw) || mayForbidTelling(sql)));
        return result;
      }
      if (mayForbidTelling(sql)) forbidding.add(raw);
      if (kind === 'unsure' && changes().isWanted) return this.around(raw, asked, opened(forbidding.has(raw)));
      return isToBeTold(sql) ? this.alone(raw, () => super._query(raw, asked), sql) : super._query(raw, asked);
    }

    override _stream(raw: Raw, asked: Asked, to: Taker, ...options: readonly unknown[]): Promise<unknown> {
      if (isToBeTold(asked.sql)) return this.collected(raw, asked, to);
      open.get(raw)?.notes.add(asked.sql);
      const closed = new Promise((resolve) => to.prependOnceListener('close', resolve));
      return turns.take(raw, () => super._stream(raw, asked, to, ...options), closed);
    }

    /** What may write is told of before anybody sees a row, or the end; all its rows are in memory meanwhile. */
    private async collected(raw: Raw, asked: Asked, to: Taker): Promise<unknown> {
      let isOver = false;
      // Who gives up early would give back a connection that is still at work.
      to.prependOnceListener('close', () => {
        if (!isOver) broke(raw);
      });
      try {
        await turns.take(raw, () => this.recorded(raw, asked));
      } catch (error) {
        to.emit('error', error);
        throw error;
      } finally {
        isOver = true;
      }
      return handedTo(to, asked.response);
    }

    private async within(raw: Raw, asked: Asked, transaction: Open): Promise<unknown> {
      transaction.notes.add(asked.sql);
      if (mayForbidTelling(asked.sql)) transaction.mayForbid = true;
      try {
        return await super._query(raw, asked);
      } catch (error) {
        if (isGone(error)) open.delete(raw);
        else await this.failed(raw, transaction).catch(() => broke(raw));
        throw error;
      }
    }

    private async failed(raw: Raw, transaction: Open): Promise<void> {
      if ((await words.stateOn(raw, undefined)) !== 'none') {
        transaction.hadFailure = true;
        return;
      }
      // The server has undone it.
      open.delete(raw);
      if (transaction.mayStand) await this.toldBehind(raw, transaction);
    }

    private async kept(raw: Raw, commit: Asked, transaction: Open): Promise<unknown> {
      // The commit of what has failed undoes it.
      const hasFailed = transaction.hadFailure && (await words.stateOn(raw, undefined)) === 'failed';
      open.delete(raw);
      const { notes, ahead = hasFailed || transaction.mayForbid ? undefined : changes().entry(notes) } = transaction;
      if (!hasFailed && !transaction.mayForbid)
        await this.orUndone(raw, transaction.ahead ? undefined : ahead, async () => ahead?.tell(writingOn(raw)));
      let result: unknown;
      try {
        result = await super._query(raw, commit);
      } catch (error) {
        if (transaction.mayStand && !isGone(error)) await this.toldBehind(raw, transaction);
        throw error;
      }
      if (hasFailed ? transaction.mayStand : transaction.mayForbid) await this.toldBehind(raw, transaction);
      else ahead?.committed();
      return this.orBegunAnew(raw, commit, result);
    }

    private async undone(raw: Raw, rollback: Asked, transaction: Open): Promise<unknown> {
      open.delete(raw);
      const result = await super._query(raw, rollback);
      if (transaction.mayStand) await this.toldBehind(raw, transaction);
      return this.orBegunAnew(raw, rollback, result);
    }

    /** A server may be set to be in a transaction always. */
    private async orBegunAnew(raw: Raw, { response }: Asked, result: unknown): Promise<unknown> {
      if ((await words.stateOn(raw, response)) !== 'none') open.set(raw, opened(true));
      return result;
    }

    /** A statement that may end a transaction, or begin one, or commit what it does itself, also where it fails. */
    private async around(raw: Raw, asked: Asked, transaction: Open): Promise<unknown> {
      const { sql } = asked;
      await this.toldAhead(raw, transaction);
      transaction.mayStand = true;
      transaction.notes.add(sql);
      if (mayForbidTelling(sql)) transaction.mayForbid = true;
      let result: unknown;
      let failure: unknown;
      try {
        result = await super._query(raw, asked);
      } catch (error) {
        open.delete(raw);
        failure = error;
      }
      // Who can't reach the server hears of that, and of nothing else.
      if (isGone(failure)) await this.toldElsewhere(transaction.notes).catch(() => undefined);
      else
        await this.settled(raw, asked, transaction).catch((error: unknown) => {
          failure ??= error;
        });
      if (failure !== undefined) throw failure;
      return result;
    }

    private async settled(raw: Raw, asked: Asked, transaction: Open): Promise<void> {
      const state = await words.stateOn(raw, asked.response).catch(() => {
        // It ended the connection as well.
        broke(raw);
        return 'none' as const;
      });
      if (state === 'none') {
        open.delete(raw);
        await this.toldBehind(raw, transaction, setsAside.test(bare(asked.sql)));
        return;
      }
      transaction.hadFailure ||= state === 'failed';
      open.set(raw, transaction);
    }

    /** With what was written so far, should that be committed now. */
    private async toldAhead(raw: Raw, transaction: Open): Promise<void> {
      const { notes, mayForbid, hadFailure } = transaction;
      if (mayForbid || (hadFailure && (await words.stateOn(raw, undefined)) === 'failed')) return;
      transaction.ahead ??= changes().entry(notes);
      await transaction.ahead?.tell(writingOn(raw));
    }

    /** By a row of its own: that in which it was told ahead may be in use until what was set aside is ended. */
    private async toldBehind(raw: Raw, { notes, ahead }: Open, isSetAside = false): Promise<void> {
      await this.alone(raw, async () => undefined, notes, 'start transaction read write').catch(() =>
        // It is told all the same, whatever was set on this one.
        this.toldElsewhere(notes),
      );
      if (!isSetAside) ahead?.committed();
    }

    private toldElsewhere(notes: Notes): Promise<void> {
      return elsewhere((other) => this.alone(other, async () => undefined, notes));
    }

    /** What would be a transaction by itself, in one with what tells of it. */
    private async alone<Result>(
      raw: Raw,
      work: () => Promise<Result>,
      of: string | Notes,
      begin = 'begin',
    ): Promise<Result> {
      const notes = typeof of === 'string' ? changes().notes() : of;
      if (typeof of === 'string') notes.add(of);
      const entry = changes().entry(notes);
      if (!entry) return work();
      await plain(raw, begin);
      const result = await this.orUndone(raw, entry, async () => {
        const answer = await work();
        await entry.tell(writingOn(raw));
        return answer;
      });
      // Of a commit that fails nobody knows the end: what was told is not undone for sure.
      await this.orUndone(raw, undefined, () => plain(raw, 'commit'));
      entry.committed();
      return result;
    }

    /** Whoever is lent the connection next finds no transaction of somebody else's on it. */
    private async orUndone<Result>(raw: Raw, entry: Entry | undefined, work: () => Promise<Result>): Promise<Result> {
      try {
        return await work();
      } catch (error) {
        if (!isGone(error))
          await plain(raw, 'rollback').then(
            () => entry?.undone(),
            () => broke(raw),
          );
        throw error;
      }
    }
  }

  return RecordingClient as unknown as typeof Knex.Client;
}
