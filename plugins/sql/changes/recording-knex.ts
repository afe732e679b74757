import type { Knex } from 'knex';
import { isGone } from '../database/failures';
import type { Notes } from './notes';
import type { SharedChanges } from './shared-changes';
import type { Entry, Writing } from './slots';
import { severalIn, writtenBy } from './written';

interface Asked {
  readonly sql: string;
}

interface KnexClient<Raw> {
  _query(raw: Raw, asked: Asked): Promise<unknown>;
  /** Ends when all rows were taken out of the stream. */
  _stream(raw: Raw, asked: Asked, ...to: readonly unknown[]): Promise<unknown>;
}

export interface KnexClientClass<Raw> {
  // biome-ignore lint/suspicious/noExplicitAny: what TypeScript demands of a class that another one extends
  new (...args: any[]): KnexClient<Raw>;
}

/** What the client does beside knex's own statements. */
export interface Beside<Raw> {
  readonly changes: () => SharedChanges;
  writingOn(raw: Raw): Writing;
  plain(raw: Raw, sql: string): Promise<unknown>;
  /** To be called of a connection on which something may be left open. */
  broke(raw: Raw): void;
}

/** Behind blanks and comments, but for those that MySQL carries out. */
const first = (words: string): RegExp =>
  new RegExp(`^(?:\\s|/\\*(?!!)(?:[^*]|\\*(?!/))*\\*/|--[^\\n]*\\n)*(?:${words})`, 'i');
/**
 * What leaves a transaction open, for all that is known. At others a server may commit what came before, and then each that follows:
 * MariaDB does at definitions and at a second beginning, either may in a procedure, or where no more than a comment hides it.
 */
const stayingOpen = first(
  '(?:select|insert|update|delete|replace|merge|values|with|explain|show|savepoint|release|rollback|lock(?!\\s+tables)|set(?!\\s+(?:statement|password)\\b|[^;]*autocommit)|(?:create|drop)\\s+temp(?:orary)?)\\b',
);
/** What carries out statements of its own, which may begin and end transactions, or can't be done inside of one. */
const byItself = first('(?:call|do|execute|discard|lock|unlock|flush|reset|xa|set|begin)\\b');
const chaining = /\band\s+chain\b/i;
/** By itself: `begin not atomic` of MariaDB, and what comes with others in one text, change something, too. */
const beginning = first('(?:begin\\b(?!\\s+not\\s+atomic)|start\\s+transaction\\b)[^;]*;?\\s*$');
/** PostgreSQL has two words for each. */
const committing = first('(?:commit|end)\\b');
const rollingBack = first('rollback\\b(?!\\s+(?:(?:transaction|work)\\s+)?to\\b)|abort\\b');

/** A client of knex that tells what its statements change, in the transactions in which they do. */
export function recordingClient<Raw extends object>(
  Base: KnexClientClass<Raw>,
  { changes, writingOn, plain, broke }: Beside<Raw>,
): typeof Knex.Client {
  /** By connection: what the transaction that is open on it changes. */
  const open = new WeakMap<Raw, Notes>();
  /** What perhaps can't be undone any more, whatever its transaction comes to, with what was told of it ahead of the end. */
  const toldAhead = new WeakMap<Notes, Entry[]>();

  class RecordingClient extends Base {
    override async _query(raw: Raw, asked: Asked): Promise<unknown> {
      const { sql } = asked;
      if (committing.test(sql)) return this.told(raw, asked);
      if (rollingBack.test(sql)) return this.undone(raw, asked);
      if (open.has(raw)) return this.within(raw, asked);
      if (beginning.test(sql)) open.set(raw, changes().notes());
      else if (changes().isWanted && writtenBy(sql) !== undefined)
        return byItself.test(sql) ? this.byItself(raw, asked) : this.alone(raw, asked);
      return super._query(raw, asked);
    }

    override async _stream(raw: Raw, asked: Asked, ...to: readonly unknown[]): Promise<unknown> {
      const stream = (): Promise<unknown> => super._stream(raw, asked, ...to);
      const notes = open.get(raw);
      if (!notes && changes().isWanted) return this.thenTold(raw, asked, stream);
      notes?.add(asked.sql);
      return stream();
    }

    private async told(raw: Raw, commit: Asked): Promise<unknown> {
      const notes = open.get(raw);
      open.delete(raw);
      const entry = notes && changes().entry(notes);
      await this.orUndone(raw, entry, async () => entry?.tell(writingOn(raw)));
      const result = await super._query(raw, commit);
      entry?.committed();
      for (const each of (notes && toldAhead.get(notes)) ?? []) each.committed();
      if (chaining.test(commit.sql)) open.set(raw, changes().notes());
      return result;
    }

    private async within(raw: Raw, asked: Asked): Promise<unknown> {
      const { sql } = asked;
      const notes = open.get(raw)!;
      if (severalIn(sql) || !stayingOpen.test(sql)) {
        if (!toldAhead.has(notes)) toldAhead.set(notes, []);
        // What came before is told with it, should it be committed now; and when that ends which fails with this one.
        await this.tellAhead(raw, notes);
      } else if (writtenBy(sql) === undefined) return super._query(raw, asked);
      notes.add(sql);
      const result = await super._query(raw, asked);
      // Where it was not committed, who hears of it now hears of it once more at the end. A new beginning may be one for reading alone.
      if (toldAhead.has(notes) && !beginning.test(sql)) await this.tellAhead(raw, notes);
      return result;
    }

    /** What was told so is undone with its transaction, or not: unless that is committed, nobody knows. */
    private async tellAhead(raw: Raw, notes: Notes): Promise<void> {
      const entry = changes().entry(notes);
      if (!entry) return;
      await entry.tell(writingOn(raw));
      toldAhead.get(notes)!.push(entry);
    }

    private async undone(raw: Raw, rollback: Asked): Promise<unknown> {
      const notes = open.get(raw);
      open.delete(raw);
      const result = await super._query(raw, rollback);
      if (notes && toldAhead.has(notes)) await this.tell(raw, notes);
      if (chaining.test(rollback.sql)) open.set(raw, changes().notes());
      return result;
    }

    /** Where no transaction is open. */
    private async tell(raw: Raw, notes: Notes): Promise<void> {
      const entry = changes().entry(notes);
      await entry?.tell(writingOn(raw));
      entry?.committed();
    }

    private byItself(raw: Raw, asked: Asked): Promise<unknown> {
      return this.thenTold(raw, asked, () => super._query(raw, asked));
    }

    /** What can't be in a transaction with what tells of it may have changed something also where it fails. */
    private async thenTold(raw: Raw, { sql }: Asked, run: () => Promise<unknown>): Promise<unknown> {
      const notes = changes().notes();
      notes.add(sql);
      let result: unknown;
      try {
        result = await run();
      } catch (error) {
        if (!isGone(error)) await this.tell(raw, notes);
        throw error;
      }
      await this.tell(raw, notes);
      return result;
    }

    /** A statement that would be a transaction by itself. */
    private async alone(raw: Raw, asked: Asked): Promise<unknown> {
      const notes = changes().notes();
      notes.add(asked.sql);
      await plain(raw, 'begin');
      const entry = changes().entry(notes);
      const result = await this.orUndone(raw, entry, async () => {
        const answer = await super._query(raw, asked);
        await entry?.tell(writingOn(raw));
        return answer;
      });
      // Of a commit that fails nobody knows the end: what was told is not undone for sure.
      await this.orUndone(raw, undefined, () => plain(raw, 'commit'));
      entry?.committed();
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
