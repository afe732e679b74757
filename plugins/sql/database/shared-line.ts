import { Lru } from '../../../core';
import type { Rows, Statement } from './database';
import { isCutShort, isGone } from './failures';
import { atMost, patience } from './patience';

/** The pool, and a connection beside it. */
export interface Ways<Raw> {
  /** A connection on which statements go ahead of answers, and that cuts short what takes very long. */
  open(): Promise<Raw>;
  close(raw: Raw): Promise<void>;
  /** False once the connection is known to be lost. */
  isOpen(raw: Raw): boolean;
  rows(raw: Raw, statement: Statement, values: readonly unknown[]): Promise<Rows>;
  /** Reads over a connection of its own; tells how many milliseconds the answer took. */
  alone(statement: Statement, values: readonly unknown[], took: (milliseconds: number) => void): Promise<Rows>;
}

export interface SharedLine {
  rows(statement: Statement, values: readonly unknown[]): Promise<Rows>;
  close(): Promise<void>;
}

/** Milliseconds that a statement takes at most behind which others may wait. */
const short = 1;
/** Milliseconds from which on a statement is not even tried on the line. */
const veryLong = 10;
/** Milliseconds without any answer after which nobody joins those who wait. */
const longestSilence = 10;
const mostWaiting = 32;
/** Milliseconds after the connection could not be opened until that is tried again. */
const pause = 5_000;

/** A statement is known when it has run so many times by itself. */
const timesAlone = 3;
/** On the line the best quarter of the last few times counts, for others take the processor meanwhile. */
const timesShared = 8;
const counted = 2;
/** What is too long for the line is tried there now and then: tables shrink, and servers rest. */
const triedEvery = 64;
const statementsKnown = 2_000;
/** Characters in all of them. */
const textKnown = 8_000_000;
/** Answers that come closer together came in one piece: what took how long is told by the first of them. */
const samePiece = 0.05;

interface Cost {
  mayShare(): boolean;
  took(milliseconds: number): void;
  tookAlone(milliseconds: number): void;
}

function createCost(): Cost {
  let alone: number[] = [];
  let shared: number[] = [];
  let usual = 0;
  let uses = 0;
  return {
    mayShare() {
      uses += 1;
      if (alone.length < timesAlone || Math.min(...alone) >= veryLong) return false;
      return shared.length < timesShared || usual <= short || uses % triedEvery === 0;
    },
    took(milliseconds) {
      const isVeryLong = milliseconds >= veryLong;
      if (isVeryLong) alone = Array<number>(timesAlone).fill(milliseconds);
      shared = isVeryLong
        ? Array<number>(timesShared).fill(milliseconds)
        : [...shared.slice(1 - timesShared), milliseconds];
      usual = shared.toSorted((one, other) => one - other)[counted] ?? 0;
    },
    tookAlone(milliseconds) {
      alone = [...alone.slice(1 - timesAlone), milliseconds];
    },
  };
}

/** A line that can't be closed is gone already. */
const none = (): void => undefined;

/**
 * Lets short reads share a connection, on which they are sent ahead of each other's answers: what comes in at the same
 * time goes to the server in one piece, and so do its answers, which saves both sides most of the waking up. What takes
 * longer keeps to connections of its own, as far as that is known before. What the line cuts short, or can't answer for
 * what went wrong with another or with the line, is read again by itself.
 */
export function createSharedLine<Raw>(
  { open, close, isOpen, rows, alone }: Ways<Raw>,
  idleAfter: number,
  now: () => number = () => performance.now(),
): SharedLine {
  const costs = new Lru<Cost>(statementsKnown, textKnown);
  let line: Raw | undefined;
  let opening: Promise<void> | undefined;
  let idling: NodeJS.Timeout | undefined;
  let restsUntil = 0;
  let isClosed = false;
  let waiting = 0;
  let heardAt = 0;

  function costOf(sql: string): Cost {
    const known = costs.get(sql);
    if (known) return known;
    const cost = createCost();
    costs.set(sql, cost);
    return cost;
  }

  async function hangUp(): Promise<void> {
    clearInterval(idling);
    const last = line;
    line = undefined;
    if (last) await close(last).catch(none);
  }

  /** Nobody waits for it. */
  async function prepare(): Promise<void> {
    try {
      const opened = await open();
      if (isClosed) return void (await close(opened));
      line = opened;
      heardAt = now();
      idling = setInterval(() => {
        if (waiting === 0 && now() - heardAt >= idleAfter) void hangUp();
      }, idleAfter).unref();
    } catch {
      // Whoever reads meanwhile finds the server over the pool, or tells what is wrong with it.
      restsUntil = now() + pause;
    } finally {
      opening = undefined;
    }
  }

  function free(): Raw | undefined {
    if (isClosed) return undefined;
    if (line && !isOpen(line)) void hangUp();
    if (!line) {
      if (now() >= restsUntil) opening ??= prepare();
      return undefined;
    }
    return waiting === 0 || (waiting < mostWaiting && now() - heardAt < longestSilence) ? line : undefined;
  }

  function heard(cost: Cost, sentAt: number): void {
    const at = now();
    if (at - heardAt > samePiece) cost.took(at - Math.max(sentAt, heardAt));
    heardAt = at;
  }

  async function share(raw: Raw, cost: Cost, statement: Statement, values: readonly unknown[]): Promise<Rows> {
    const sentAt = now();
    if (waiting === 0) heardAt = sentAt;
    waiting += 1;
    try {
      return await rows(raw, statement, values);
    } catch (error) {
      if (isGone(error) && line === raw) void hangUp();
      throw error;
    } finally {
      waiting -= 1;
      heard(cost, sentAt);
    }
  }

  return {
    async rows(statement, values) {
      const cost = costOf(statement.sql);
      const raw = cost.mayShare() ? free() : undefined;
      if (!raw) return alone(statement, values, cost.tookAlone);
      try {
        return await share(raw, cost, statement, values);
      } catch (error) {
        // What one could not read, all are told who wait on the line that ended by it.
        if (!isCutShort(error) && !isGone(error) && isOpen(raw)) throw error;
        return alone(statement, values, cost.tookAlone);
      }
    },
    async close() {
      isClosed = true;
      if (opening) await atMost(patience, opening);
      await hangUp();
    },
  };
}
