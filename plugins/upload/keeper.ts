import { HeddleError, type Logger, type ShownDocument } from '../../core';
import type { FileStore, ReadyFile } from './hooks';
import type { Staging } from './staging';

/** A file and the key that it is to be kept under. */
export interface Placing {
  readonly key: string;
  readonly file: ReadyFile;
}

/** A change of a file that is there. */
export interface Replacement {
  readonly id: number;
  readonly hash: string;
  /** When its row was changed last: at another time, this or another change was written. */
  readonly was: string;
  /** What the row says of the file from then on, by which this change is told from another. */
  readonly says: Readonly<Record<string, unknown>>;
  /** The file itself, under the key that it has already. */
  readonly main: Placing;
  /** Its smaller versions, under keys that nothing was ever under. */
  readonly versions: readonly Placing[];
  /** Keys that nothing is under afterwards. */
  readonly stale: readonly string[];
}

const keysIn = (placings: readonly Placing[]): string[] => placings.map(({ key }) => key);

/** What a process was about to do; whoever finds it after its end does the rest, or undoes what was begun. */
export type Note =
  | { readonly doing: 'add' | 'remove'; readonly hash: string; readonly keys: readonly string[] }
  | ({ readonly doing: 'replace' } & Replacement);

/** What the rows say now. */
export interface RowsNow {
  /** The keys of all that the row with this hash has; none where there is no row. */
  keysOf(hash: string): Promise<readonly string[]>;
  row(id: number): Promise<ShownDocument | undefined>;
}

/**
 * Keeps files and rows together, whatever ends the process in between: before anything is done that the database does not
 * undo, a note says what. Files come before their row and go after it.
 */
export function createKeeper(provider: string, store: FileStore, staging: Staging, log: Logger) {
  const busy = new Map<number, Promise<unknown>>();

  async function removeAll(keys: readonly string[]): Promise<void> {
    for (const key of keys) await store.remove(key);
  }

  /** A note stays where the work it tells of could not be finished: it is settled at the next start. */
  async function tryRemoving(keys: readonly string[], drop: () => Promise<void>): Promise<void> {
    try {
      await removeAll(keys);
      await drop();
    } catch (error) {
      log.error({ err: error, keys }, 'files could not be removed; the next start tries again');
    }
  }

  /** The smaller versions first: until the file itself is there, nobody looks for them. */
  async function place(placings: readonly Placing[]): Promise<void> {
    try {
      for (const { key, file } of [...placings].reverse()) await store.put(key, file);
    } catch (error) {
      if (error instanceof HeddleError) throw error;
      throw new HeddleError('ServiceUnavailableError', 'Files can not be kept just now', {}, { cause: error });
    }
  }

  /** Finishes a replacement whose row is written, or undoes what was begun of it. */
  async function settleReplacement(
    { id, hash, was, says, main, versions, stale }: Replacement,
    rows: RowsNow,
  ): Promise<void> {
    const wanted = await rows.keysOf(hash);
    const row = await rows.row(id);
    const isWritten =
      row !== undefined &&
      row['updatedAt'] !== was &&
      Object.entries(says).every(([name, value]) => row[name] === value) &&
      keysIn(versions).every((key) => wanted.includes(key));
    // What was placed before a removal failed is staged no longer.
    if (isWritten && (await staging.isThere(main.file.path))) await place([main]);
    await removeAll([...keysIn(versions), ...stale].filter((key) => !wanted.includes(key)));
  }

  /** Lets one piece of work after the other be done with one file. */
  async function alone<T>(id: number, work: () => Promise<T>): Promise<T> {
    const before = busy.get(id) ?? Promise.resolve();
    const run = before.then(work, work);
    const done = run.catch(() => undefined);
    busy.set(id, done);
    done.then(() => busy.get(id) === done && busy.delete(id));
    return run;
  }

  return {
    provider,
    urlOf: store.urlOf,
    alone,

    async add(hash: string, placings: readonly Placing[], writeRow: () => Promise<void>): Promise<void> {
      const keys = keysIn(placings);
      const drop = await staging.note({ doing: 'add', hash, keys } satisfies Note);
      try {
        await place(placings);
        await writeRow();
      } catch (error) {
        await tryRemoving(keys, drop);
        throw error;
      }
      await drop();
    },

    async remove(hash: string, keys: readonly string[], removeRow: () => Promise<void>): Promise<void> {
      const drop = await staging.note({ doing: 'remove', hash, keys } satisfies Note);
      try {
        await removeRow();
      } catch (error) {
        await drop();
        throw error;
      }
      await tryRemoving(keys, drop);
    },

    /**
     * What was there is touched by the last step only. Where the new file can't be put into its place, `restoreRow` says again
     * what was said before.
     */
    async replace(change: Replacement, writeRow: () => Promise<void>, restoreRow: () => Promise<void>): Promise<void> {
      const { main, versions, stale } = change;
      const drop = await staging.note({ doing: 'replace', ...change } satisfies Note);
      const undo = (): Promise<void> => tryRemoving(keysIn(versions), drop);
      try {
        await place(versions);
        await writeRow();
      } catch (error) {
        await undo();
        throw error;
      }
      try {
        await place([main]);
      } catch (error) {
        await restoreRow();
        await undo();
        throw error;
      }
      await tryRemoving(stale, drop);
    },

    /** Finishes what a process that is gone had begun, or undoes it. */
    async settle(note: Note, rows: RowsNow): Promise<void> {
      if (note.doing === 'replace') return alone(note.id, () => settleReplacement(note, rows));
      const wanted = await rows.keysOf(note.hash);
      await removeAll(note.keys.filter((key) => !wanted.includes(key)));
    },
  };
}

export type Keeper = ReturnType<typeof createKeeper>;
