import type { Logger } from '../../../core';
import type { Rows, Statement, Upkeep } from './database';
import { isGone } from './failures';
import { atMost, patience } from './patience';

/** How a server is reached: by connections of a pool for what is short, by others for what is not. */
export interface UpkeepWays<Raw> {
  rows(statement: Statement, values: readonly unknown[]): Promise<Rows>;
  open(): Promise<Raw>;
  close(raw: Raw): Promise<void>;
}

/** A table that wants care. */
export interface Due {
  readonly table: string;
  /** So much of it has changed that it doesn't rest. */
  readonly isUrgent: boolean;
}

/** How a server's tables are looked after. */
export interface Care<Line> {
  /** Whether the server leaves that to others. */
  isWanted(): Promise<boolean>;
  due(tables: readonly string[]): Promise<readonly Due[]>;
  /** A line for one process alone; undefined where another has it. */
  open(): Promise<Line | undefined>;
  tend(line: Line, table: string): Promise<void>;
  /** Whether anybody waits for the end of what is done on a line. */
  isInTheWay(line: Line): Promise<boolean>;
  /** Has the server give that up. */
  giveUp(line: Line): Promise<void>;
  /** Whatever is being done. */
  close(line: Line): Promise<void>;
}

export interface ClosableUpkeep extends Upkeep {
  /** What is being done is given up. */
  close(): Promise<void>;
}

/** Milliseconds between two looks at the tables. */
const pause = 10_000;
/** Milliseconds until a table has its turn again, unless that is urgent. */
const rest = 60_000;
/** Milliseconds between two looks for who waits for a table. */
const courtesy = 1_000;

/** One table after the other, over a line that is open only meanwhile. */
export function createUpkeep<Line>(care: Care<Line>): ClosableUpkeep {
  const tended = new Map<string, number>();
  const failing = new Set<string>();
  let hasBegun = false;
  let hasEnded = false;
  let isTold = false;
  let used: Line | undefined;
  let timer: NodeJS.Timeout | undefined;
  let work: Promise<void> = Promise.resolve();

  async function due(tables: readonly string[]): Promise<string[]> {
    const isRested = (table: string): boolean =>
      performance.now() - (tended.get(table) ?? Number.NEGATIVE_INFINITY) >= rest;
    const all = await care.due(tables);
    return all.filter(({ table, isUrgent }) => isUrgent || isRested(table)).map(({ table }) => table);
  }

  async function tend(line: Line, table: string, log: Logger): Promise<void> {
    let givesWay = false;
    let asking: Promise<void> | undefined;
    async function giveWay(): Promise<void> {
      if (!(await care.isInTheWay(line))) return;
      givesWay = true;
      await care.giveUp(line);
    }
    // What can't be asked now is asked again in a second.
    const ask = (): void => {
      asking ??= giveWay()
        .catch(() => undefined)
        .finally(() => {
          asking = undefined;
        });
    };
    const watching = setInterval(ask, courtesy);
    tended.set(table, performance.now());
    try {
      await care.tend(line, table);
      failing.delete(table);
    } catch (err) {
      if (givesWay || hasEnded) return;
      // What has no code was not said by the server.
      if (isGone(err) || (err as { code?: string }).code === undefined) throw err;
      if (!failing.has(table)) log.warn({ err, table }, 'a table could not be vacuumed and analyzed');
      failing.add(table);
    } finally {
      clearInterval(watching);
      // A table that is given up late is not the next one.
      await asking;
    }
  }

  async function round(tables: readonly string[], log: Logger): Promise<void> {
    if ((await due(tables)).length === 0 || hasEnded) return;
    const line = await care.open();
    if (line === undefined) return;
    used = line;
    try {
      // Asked again, for whoever had the line may have done all of it.
      for (const table of await due(tables)) {
        if (hasEnded) return;
        if (!isTold) log.info({}, 'autovacuum is off: the tables are vacuumed and analyzed by this process');
        isTold = true;
        await tend(line, table, log);
      }
    } finally {
      used = undefined;
      await care.close(line);
    }
  }

  async function look(tables: readonly string[], log: Logger, hasFailed = false): Promise<void> {
    let fails = false;
    try {
      if (!(await care.isWanted())) return;
      await round(tables, log);
    } catch (err) {
      fails = !hasEnded;
      // What goes on failing is told once.
      if (fails && !hasFailed) log.warn({ err }, 'the tables could not be looked after, which is tried again');
    }
    if (hasEnded) return;
    const again = (): void => {
      work = look(tables, log, fails);
    };
    timer = setTimeout(again, pause).unref();
  }

  return {
    begin(tables, log) {
      if (hasBegun || hasEnded) return;
      hasBegun = true;
      work = look(tables, log);
    },
    async close() {
      hasEnded = true;
      clearTimeout(timer);
      // Where the server can't be told, the line is closed all the same.
      if (used !== undefined) void care.giveUp(used).catch(() => undefined);
      await atMost(patience, work);
      if (used !== undefined) await atMost(patience, care.close(used));
    },
  };
}
