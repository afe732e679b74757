import type { Knex } from 'knex';
import { isGone } from '../database/failures';
import type { Notes } from './notes';
import type { SharedChanges } from './shared-changes';
import type { Entry, Writing } from './slots';
import { writtenBy } from './written';

interface Asked {
  readonly sql: string;
}

export interface KnexClientClass<Raw> {
  // biome-ignore lint/suspicious/noExplicitAny: what TypeScript demands of a class that another one extends
  new (...args: any[]): { _query(raw: Raw, asked: Asked): Promise<unknown> };
}

/** What the client does beside knex's own statements. */
export interface Beside<Raw> {
  readonly changes: () => SharedChanges;
  writingOn(raw: Raw): Writing;
  plain(raw: Raw, sql: string): Promise<unknown>;
  /** Statements at which the server commits what came before them, and then each that follows; absent where it never does. */
  readonly endsAt?: RegExp;
  /** To be called of a connection on which something may be left open. */
  broke(raw: Raw): void;
}

/** Behind blanks and comments, but for those that MySQL carries out. */
const first = (words: string): RegExp =>
  new RegExp(`^(?:\\s|/\\*(?!!)(?:[^*]|\\*(?!/))*\\*/|--[^\\n]*\\n)*(?:${words})`, 'i');
/** By itself: `begin not atomic` of MariaDB, and what comes with others in one text, change something, too. */
const beginning = first('(?:begin\\b(?!\\s+not\\s+atomic)|start\\s+transaction\\b)[^;]*;?\\s*$');
/** PostgreSQL has two words for each. */
const committing = first('(?:commit|end)\\b');
const rollingBack = first('rollback\\b(?!\\s+(?:(?:transaction|work)\\s+)?to\\b)|abort\\b');

/** A client of knex that tells what its statements change, in the transactions in which they do. */
export function recordingClient<Raw extends object>(
  Base: KnexClientClass<Raw>,
  { changes, writingOn, plain, endsAt, broke }: Beside<Raw>,
): typeof Knex.Client {
  /** By connection: what the transaction that is open on it changes. */
  const open = new WeakMap<Raw, Notes>();
  /** What can't be undone any more, whatever its transaction comes to: surely, or perhaps. */
  const ended = new WeakSet<Notes>();
  const mayHaveEnded = new WeakSet<Notes>();

  class RecordingClient extends Base {
    override async _query(raw: Raw, asked: Asked): Promise<unknown> {
      const { sql } = asked;
      if (beginning.test(sql)) open.set(raw, changes().notes());
      else if (committing.test(sql)) return this.told(raw, asked);
      else if (rollingBack.test(sql)) return this.undone(raw, asked);
      else if (open.has(raw)) return this.within(raw, asked);
      else if (changes().isWanted && writtenBy(sql) !== undefined) return this.alone(raw, asked);
      return super._query(raw, asked);
    }

    private async told(raw: Raw, commit: Asked): Promise<unknown> {
      const notes = open.get(raw);
      open.delete(raw);
      const entry = notes && changes().entry(notes);
      await this.orUndone(raw, entry, async () => entry?.tell(writingOn(raw)));
      const result = await super._query(raw, commit);
      entry?.committed();
      return result;
    }

    private async within(raw: Raw, asked: Asked): Promise<unknown> {
      const { sql } = asked;
      const notes = open.get(raw)!;
      notes.add(sql);
      const isEnd = endsAt?.test(sql) === true;
      // The server may refuse it before it has committed, or behind that: then it is told when that ends which fails with it.
      if (isEnd) mayHaveEnded.add(notes);
      const result = await super._query(raw, asked);
      if (isEnd) ended.add(notes);
      if (isEnd || (ended.has(notes) && writtenBy(sql) !== undefined)) await this.tellEnded(raw, notes);
      return result;
    }

    private async undone(raw: Raw, rollback: Asked): Promise<unknown> {
      const notes = open.get(raw);
      open.delete(raw);
      const result = await super._query(raw, rollback);
      if (notes && mayHaveEnded.has(notes)) await this.tellEnded(raw, notes);
      return result;
    }

    private async tellEnded(raw: Raw, notes: Notes): Promise<void> {
      const entry = changes().entry(notes);
      await entry?.tell(writingOn(raw));
      entry?.committed();
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
