import { createLatest } from '../changes/latest';
import type { Watch, Watched } from './database';
import { isGone, told } from './failures';
import { innodbState } from './innodb-state';

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
}

const mayNotLook = (error: unknown): boolean => (error as { code?: string }).code === 'ER_SPECIFIC_ACCESS_DENIED_ERROR';

/** Who asked for it was told. */
const unopened = (): void => undefined;

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

export interface InnodbWatch extends Watch {
  close(): Promise<void>;
}

/** Watches a server by what InnoDB reports, for which an account needs the privilege PROCESS. */
export function createInnodbWatch<Raw>({ open, rows, close }: Line<Raw>): InnodbWatch {
  let line: Promise<Raw> | undefined;
  let lines = 0;
  let isBlind = false;

  async function connect(): Promise<Raw> {
    const raw = await open();
    lines += 1;
    const [[version] = []] = await rows(raw, 'select version()');
    // Others number their commits in other ways.
    isBlind = !String(version).includes('MariaDB');
    return raw;
  }

  async function hangUp(): Promise<void> {
    const last = line;
    line = undefined;
    await last?.then(close, unopened);
  }

  /** Undefined where the server can't be reached: what is asked of it next will say so. */
  async function asked(sql: string): Promise<unknown[][] | undefined> {
    try {
      line ??= connect();
      return await rows(await line, sql);
    } catch (error) {
      await hangUp();
      isBlind ||= mayNotLook(error);
      if (isBlind || isGone(error)) return undefined;
      throw told(error);
    }
  }

  async function look(): Promise<Watched | undefined> {
    const found = isBlind ? undefined : await asked('show engine innodb status');
    const state = found && !isBlind ? innodbState(String(found[0]?.[2])) : undefined;
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
    close: hangUp,
  };
}
