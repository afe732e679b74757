import { Lru } from '../../../core';
import type { Rows, Statement } from './database';
import { isGone } from './failures';

/** A connection outside the pool, and the pool itself. */
export interface Lines<Raw> {
  open(): Promise<Raw>;
  close(raw: Raw): Promise<void>;
  /** False once the connection is known to be lost. */
  isOpen(raw: Raw): boolean;
  rows(raw: Raw, statement: Statement, values: readonly unknown[]): Promise<Rows>;
  /** Reads over a connection of its own. */
  alone(statement: Statement, values: readonly unknown[]): Promise<Rows>;
}

export interface SharedLine {
  rows(statement: Statement, values: readonly unknown[]): Promise<Rows>;
  close(): Promise<void>;
}

/** Milliseconds that a statement takes at most behind which others may wait. */
const short = 1;
/** After one that took as long as this, no second one is tried. */
const veryLong = 10;
/** Milliseconds without any answer after which nobody joins those who wait. */
const longestSilence = 10;
const mostWaiting = 32;
/** Milliseconds after the connection could not be opened until that is tried again. */
const pause = 5_000;

/** The best time of the last few counts, for others take the processor meanwhile; what is too long is tried now and then. */
const timesKept = 8;
const triedEvery = 64;
const statementsKnown = 2_000;
/** Answers that come closer together came in one piece: what took how long is told by the first of them. */
const samePiece = 0.05;

class Cost {
  private times: number[] = [];
  private best = 0;
  private uses = 0;

  mayShare(): boolean {
    this.uses += 1;
    return this.times.length < timesKept || this.best <= short || this.uses % triedEvery === 0;
  }

  note(milliseconds: number): void {
    if (milliseconds >= veryLong) this.times = Array<number>(timesKept).fill(milliseconds);
    else {
      if (this.times.length === timesKept) this.times.shift();
      this.times.push(milliseconds);
    }
    this.best = Math.min(...this.times);
  }
}

/** A line that can't be closed is gone already. */
const none = (): void => undefined;

/**
 * Lets short reads share a connection, on which they are sent ahead of each other's answers: what comes in at the same
 * time goes to the server in one piece, and so do its answers, which saves both sides most of the waking up. What takes
 * longer keeps to connections of its own, so that nothing short waits behind it; and while nothing is heard, so does all.
 */
export function createSharedLine<Raw>(
  { open, close, isOpen, rows, alone }: Lines<Raw>,
  now: () => number = () => performance.now(),
): SharedLine {
  const costs = new Lru<Cost>(statementsKnown);
  let line: Raw | undefined;
  let isOpening = false;
  let restsUntil = 0;
  let waiting = 0;
  let heardAt = 0;

  function costOf(sql: string): Cost {
    const known = costs.get(sql);
    if (known) return known;
    const cost = new Cost();
    costs.set(sql, cost);
    return cost;
  }

  /** Nobody waits for it. */
  async function prepare(): Promise<void> {
    isOpening = true;
    try {
      const opened = await open();
      if (now() < restsUntil) await close(opened).catch(none);
      else line = opened;
    } catch {
      // Whoever reads meanwhile finds the server over the pool, or tells what is wrong with it.
      restsUntil = now() + pause;
    } finally {
      isOpening = false;
    }
  }

  function free(): Raw | undefined {
    if (!line || !isOpen(line)) {
      line = undefined;
      if (!isOpening && now() >= restsUntil) void prepare();
      return undefined;
    }
    return waiting === 0 || (waiting < mostWaiting && now() - heardAt < longestSilence) ? line : undefined;
  }

  function heard(cost: Cost, sentAt: number): void {
    const at = now();
    if (at - heardAt > samePiece) cost.note(at - Math.max(sentAt, heardAt));
    heardAt = at;
  }

  async function share(raw: Raw, cost: Cost, statement: Statement, values: readonly unknown[]): Promise<Rows> {
    const sentAt = now();
    if (waiting === 0) heardAt = sentAt;
    waiting += 1;
    try {
      return await rows(raw, statement, values);
    } catch (error) {
      if (isGone(error) && line === raw) {
        line = undefined;
        await close(raw).catch(none);
      }
      throw error;
    } finally {
      waiting -= 1;
      heard(cost, sentAt);
    }
  }

  return {
    rows(statement, values) {
      const cost = costOf(statement.sql);
      const raw = cost.mayShare() ? free() : undefined;
      return raw ? share(raw, cost, statement, values) : alone(statement, values);
    },
    async close() {
      restsUntil = Number.POSITIVE_INFINITY;
      const last = line;
      line = undefined;
      if (last) await close(last).catch(none);
    },
  };
}
