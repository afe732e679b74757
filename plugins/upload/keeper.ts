import { HeddleError, type Logger } from '../../core';
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
  /** When its row was changed last: another time there says that this change was written. */
  readonly was: string;
  readonly placings: readonly Placing[];
  /** Keys that nothing is under afterwards. */
  readonly stale: readonly string[];
}

/** What a process was about to do; whoever finds it after its end does the rest, or undoes what was begun. */
export type Note =
  | { readonly doing: 'add' | 'remove'; readonly hash: string; readonly keys: readonly string[] }
  | ({ readonly doing: 'replace' } & Replacement);

/** What the rows say now. */
export interface RowsNow {
  /** The keys of all that the row with this hash has; none where there is no row. */
  keysOf(hash: string): Promise<readonly string[]>;
  updatedAt(id: number): Promise<string | undefined>;
}

/**
 * Keeps files and rows together, whatever ends the process in between: before anything is done that the database does not
 * undo, a note says what. Files come before their row and go after it.
 */
export function createKeeper(provider: string, store: FileStore, staging: Staging, log: Logger) {
  const busy = new Map<string, Promise<unknown>>();

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

  return {
    provider,
    urlOf: store.urlOf,

    async add(hash: string, placings: readonly Placing[], writeRow: () => Promise<void>): Promise<void> {
      const keys = placings.map(({ key }) => key);
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

    /** Where the new files can't be put into their places, `restoreRow` says again what was said before. */
    async replace(change: Replacement, writeRow: () => Promise<void>, restoreRow: () => Promise<void>): Promise<void> {
      const drop = await staging.note({ doing: 'replace', ...change } satisfies Note);
      try {
        await writeRow();
      } catch (error) {
        await drop();
        throw error;
      }
      try {
        await place(change.placings);
      } catch (error) {
        await restoreRow();
        await drop();
        throw error;
      }
      await tryRemoving(change.stale, drop);
    },

    /** Finishes what a process that is gone had begun, or undoes it. */
    async settle(note: Note, rows: RowsNow): Promise<void> {
      if (note.doing === 'replace') {
        const now = await rows.updatedAt(note.id);
        if (now === undefined || now === note.was) return;
        // What was placed before a removal failed is staged no longer.
        const staged = await Promise.all(note.placings.map(({ file }) => staging.isThere(file.path)));
        await place(note.placings.filter((_, index) => staged[index]));
        await removeAll(note.stale);
      } else {
        const wanted = await rows.keysOf(note.hash);
        await removeAll(note.keys.filter((key) => !wanted.includes(key)));
      }
    },

    /** Lets one piece of work after the other be done with one file. */
    async alone<T>(id: string, work: () => Promise<T>): Promise<T> {
      const before = busy.get(id) ?? Promise.resolve();
      const run = before.then(work, work);
      const done = run.catch(() => undefined);
      busy.set(id, done);
      done.then(() => busy.get(id) === done && busy.delete(id));
      return run;
    },
  };
}

export type Keeper = ReturnType<typeof createKeeper>;
