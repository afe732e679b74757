import { createLatest } from '../changes/latest';
import type { Watch, Watched } from './database';
import { innodbState } from './innodb-state';
import { inTime } from './patience';

// MariaDB has no version of its data, but numbers its transactions, whoever runs them. What is kept rests on this:
//
// 1. A transaction takes a number out of one counter before its first write, and a commit takes another one before it can be
//    seen. So whatever is committed and seen after the counter was read has moved it, but for commits that had their second
//    number by then and could not be seen yet.
// 2. Those are among the transactions under way, for one is listed with its number until what it wrote can be seen. A report
//    reads the counter first, and lists the transactions thereafter.
// 3. So what is read after a report that lists nobody who writes is what everybody reads for as long as the counter stays.
//
// Definitions are transactions, too. A counter may begin anew with less when the server starts, which ends all connections:
// all questions go over one, whose number is part of the version. Tables of other engines are not seen.

/** How a connection is opened outside the pool, used and closed. */
export interface Line<Raw> {
  open(): Promise<Raw>;
  rows(raw: Raw, sql: string): Promise<unknown[][]>;
  close(raw: Raw): Promise<void>;
  /** Drops it without a goodbye, for nothing is heard over it. */
  cut(raw: Raw): void;
}

const mayNotLook = (error: unknown): boolean => (error as { code?: string }).code === 'ER_SPECIFIC_ACCESS_DENIED_ERROR';

/** A line that can't be opened or closed is none: who asked over it was told. */
const none = (): void => undefined;

/** Milliseconds after a line could not be opened, or fell silent, until another is tried. */
const pause = 5_000;

/** Milliseconds for which an answer is waited for: whoever is asked for a total can count it meanwhile. */
const patience = 1_000;

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

export interface InnodbWatch extends Watch {
  close(): Promise<void>;
}

/**
 * Watches a server by what InnoDB reports, for which an account needs the privilege PROCESS. A line over which nothing was
 * asked for so many milliseconds is closed, before what lies between forgets it without a word.
 */
export function createInnodbWatch<Raw>({ open, rows, close, cut }: Line<Raw>, idleAfter: number): InnodbWatch {
  let line: Promise<Raw> | undefined;
  let idling: NodeJS.Timeout | undefined;
  let lines = 0;
  let isBlind = false;
  let rests = 0;

  const answered = (raw: Raw, sql: string): Promise<unknown[][]> =>
    inTime(rows(raw, sql), patience, () => {
      rests = performance.now() + pause;
      cut(raw);
    });

  async function opened(): Promise<Raw> {
    const opening = open();
    const raw = await inTime(opening, patience, () => void opening.then(cut, none));
    try {
      const [[version] = []] = await answered(raw, 'select version()');
      // Others number their commits in other ways.
      isBlind = !String(version).includes('MariaDB');
      if (isBlind) throw new Error(`${version} is not MariaDB`);
      lines += 1;
      return raw;
    } catch (error) {
      await close(raw).catch(none);
      throw error;
    }
  }

  async function connect(): Promise<Raw> {
    try {
      return await opened();
    } catch (error) {
      rests = performance.now() + pause;
      throw error;
    }
  }

  async function hangUp(last: Promise<Raw> | undefined): Promise<void> {
    if (line === last) {
      line = undefined;
      clearTimeout(idling);
    }
    await last?.then(close).catch(none);
  }

  /** Undefined where nothing can be asked. The total is counted then, and what is wrong with the server is said of that. */
  async function asked(sql: string): Promise<unknown[][] | undefined> {
    if (isBlind || performance.now() < rests) return undefined;
    line ??= connect();
    const asking = line;
    try {
      const found = await answered(await asking, sql);
      if (line === asking) {
        clearTimeout(idling);
        idling = setTimeout(() => void hangUp(asking), idleAfter).unref();
      }
      return found;
    } catch (error) {
      isBlind ||= mayNotLook(error);
      await hangUp(asking);
      return undefined;
    }
  }

  async function look(): Promise<Watched | undefined> {
    const found = await asked('show engine innodb status');
    const state = found && innodbState(String(found[0]?.[2]));
    return state && { version: `${lines}:${state.counter}`, isAtRest: state.isAtRest };
  }

  return {
    look: createLatest(look),
    async sees(tables) {
      const names = tables.map(quoted).join(',');
      const found = await asked(
        `select count(*) from information_schema.tables where table_schema=database() and engine='InnoDB' and table_name in (${names})`,
      );
      return Number(found?.[0]?.[0]) === tables.length;
    },
    async close() {
      rests = Number.POSITIVE_INFINITY;
      await hangUp(line);
    },
  };
}
