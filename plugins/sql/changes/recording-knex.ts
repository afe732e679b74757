import type { Readable } from 'node:stream';
import type { Knex } from 'knex';
import { isGone } from '../database/failures';
import type { Notes } from './notes';
import type { SharedChanges } from './shared-changes';
import type { Entry, Writing } from './slots';
import { severalIn, writtenBy } from './written';

interface Asked {
  readonly sql: string;
  /** What the driver answered: rows, and what it says of them; or an object that has them. */
  readonly response?: readonly unknown[] | { readonly rows?: readonly unknown[] };
}

/** What knex hands rows to, one by one. */
type Taker = Pick<Readable, 'on'> & { write(row: unknown): unknown; end(): unknown };

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
export interface Beside<Raw> {
  readonly changes: () => SharedChanges;
  writingOn(raw: Raw): Writing;
  plain(raw: Raw, sql: string): Promise<unknown>;
  /** Statements that leave a transaction open; at others the server may commit what came before, and then each that follows. */
  readonly stayingOpen: RegExp;
  /** To be called of a connection on which something may be left open. */
  broke(raw: Raw): void;
}

/** Behind blanks and comments, but for those that MySQL carries out. */
export const first = (words: string): RegExp =>
  new RegExp(`^(?:\\s|/\\*(?!!)(?:[^*]|\\*(?!/))*\\*/|--[^\\n]*\\n)*(?:${words})`, 'i');
/** What carries out statements of its own, which may begin and end transactions, or can't be done inside of one. */
const byItself = first('(?:call|do|execute|discard|flush|reset|xa|set|begin|commit|end|rollback|abort)\\b');
const chaining = /\band\s+chain\b/i;
/** By itself: `begin not atomic` of MariaDB, and what comes with others in one text, change something, too. */
const beginning = first('(?:begin\\b(?!\\s+not\\s+atomic)|start\\s+transaction\\b)[^;]*;?\\s*$');
const forReading = /\bread\s+only\b/i;
/** PostgreSQL has two words for each. */
const committing = first('(?:commit|end)\\b');
const rollingBack = first('rollback\\b(?!\\s+(?:(?:transaction|work)\\s+)?to\\b)|abort\\b');
/** Behind these the server may not let anything be written, or not what tells of it. */
const keepingFromWriting = first('(?:begin|start|lock)\\b');
const ending = /\b(?:begin|start|commit|end|rollback|abort|prepare)\b/i;

/** Whether several statements stand in a text, and what comes behind the first of them may begin or end a transaction. */
function endsInside(sql: string): boolean {
  const at = sql.indexOf(';');
  return at >= 0 && ending.test(sql.slice(at));
}

const nothing: Notes = { tables: new Set(), add: () => undefined };

/** The rows of what was answered at once, one by one. */
function handedTo(stream: Taker, { response }: Asked): Promise<unknown> {
  const rows = response && 'rows' in response ? response.rows : (response as readonly unknown[] | undefined)?.[0];
  return new Promise((resolve, reject) => {
    stream.on('error', reject);
    stream.on('end', resolve);
    if (Array.isArray(rows)) for (const row of rows) stream.write(row);
    stream.end();
  });
}

/** A client of knex that tells what its statements change, in the transactions in which they do. */
export function recordingClient<Raw extends object>(
  Base: KnexClientClass<Raw>,
  { changes, writingOn, plain, stayingOpen, broke }: Beside<Raw>,
): typeof Knex.Client {
  /** By connection: what the transaction that is open on it changes. */
  const open = new WeakMap<Raw, Notes>();
  /** What perhaps can't be undone any more, whatever its transaction comes to, and by what it was told ahead of the end. */
  const toldAhead = new WeakMap<Notes, Entry | undefined>();

  class RecordingClient extends Base {
    override async _query(raw: Raw, asked: Asked): Promise<unknown> {
      const { sql } = asked;
      if (!severalIn(sql)) {
        if (committing.test(sql)) return this.told(raw, asked);
        if (rollingBack.test(sql)) return this.undone(raw, asked);
      }
      if (open.has(raw)) return this.within(raw, asked);
      if (beginning.test(sql)) open.set(raw, forReading.test(sql) ? nothing : changes().notes());
      else if (changes().isWanted && writtenBy(sql) !== undefined)
        return byItself.test(sql) || endsInside(sql) ? this.thenTold(raw, asked) : this.alone(raw, asked);
      return super._query(raw, asked);
    }

    /** What writes has few rows to answer, if any: nobody sees them before it is told. */
    override async _stream(raw: Raw, asked: Asked, to: Taker, ...options: readonly unknown[]): Promise<unknown> {
      if (!changes().isWanted || writtenBy(asked.sql) === undefined) return super._stream(raw, asked, to, ...options);
      await this._query(raw, asked);
      return handedTo(to, asked);
    }

    private async told(raw: Raw, commit: Asked): Promise<unknown> {
      const notes = open.get(raw);
      open.delete(raw);
      const ahead = notes && toldAhead.get(notes);
      const entry = ahead ?? (notes && changes().entry(notes));
      await this.orUndone(raw, ahead ? undefined : entry, async () => entry?.tell(writingOn(raw)));
      const result = await super._query(raw, commit);
      entry?.committed();
      if (chaining.test(commit.sql)) open.set(raw, changes().notes());
      return result;
    }

    private async within(raw: Raw, asked: Asked): Promise<unknown> {
      const { sql } = asked;
      const notes = open.get(raw)!;
      if (endsInside(sql) || !stayingOpen.test(sql)) {
        if (!toldAhead.has(notes)) toldAhead.set(notes, undefined);
        // What came before is told with it, should it be committed now; and when that ends which fails with this one.
        await this.tellAhead(raw, notes);
      } else if (writtenBy(sql) === undefined) return super._query(raw, asked);
      notes.add(sql);
      const result = await super._query(raw, asked);
      // Where it was not committed, who hears of it now hears of it once more at the end.
      if (toldAhead.has(notes) && !keepingFromWriting.test(sql)) await this.tellAhead(raw, notes);
      return result;
    }

    private async undone(raw: Raw, rollback: Asked): Promise<unknown> {
      const notes = open.get(raw);
      open.delete(raw);
      const result = await super._query(raw, rollback);
      if (notes && toldAhead.has(notes)) {
        await this.tellAhead(raw, notes);
        toldAhead.get(notes)?.committed();
      }
      if (chaining.test(rollback.sql)) open.set(raw, changes().notes());
      return result;
    }

    /** Always by the same row: each that it takes would be in use until the end. */
    private async tellAhead(raw: Raw, notes: Notes): Promise<void> {
      const entry = toldAhead.get(notes) ?? changes().entry(notes);
      toldAhead.set(notes, entry);
      await entry?.tell(writingOn(raw));
    }

    /** What can't be in a transaction with what tells of it may have changed something also where it fails. */
    private async thenTold(raw: Raw, asked: Asked): Promise<unknown> {
      const notes = changes().notes();
      notes.add(asked.sql);
      const entry = changes().entry(notes);
      let result: unknown;
      try {
        result = await super._query(raw, asked);
      } catch (error) {
        // It may have left a transaction open in which nothing can be done any more.
        if (!isGone(error)) await entry?.tell(writingOn(raw)).catch(() => broke(raw));
        throw error;
      }
      await entry?.tell(writingOn(raw));
      entry?.committed();
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
