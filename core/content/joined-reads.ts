import { lasting } from '../lasting-bytes';
import type { StoreAnswer } from './store';

/** A reading that has yet to begin: it answers all who ask the same until then. */
interface Reading {
  askers: number;
  answer: Promise<StoreAnswer>;
}

/** Milliseconds for which a reading that could begin waits at most for the one before it. */
const longestWait = 10;

/** Waits for the end of something, but not for long. */
const endOf = (ended: Promise<void>): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, longestWait);
    void ended.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });

/** The end of this turn of the event loop, when all requests have been taken in that arrived with this one. */
function createEndsOfTurns(): () => Promise<void> {
  let turn: Promise<void> | undefined;
  return () => {
    turn ??= new Promise((resolve) => {
      setImmediate(() => {
        turn = undefined;
        resolve();
      });
    });
    return turn;
  };
}

/**
 * Reads what is asked for by several at the same time once for all of them. Nothing is kept: a reading begins after
 * everyone whom it answers has asked, so that it shows whatever was committed before. Who asks while one is under way
 * waits for the next, with all who come until that begins.
 */
export function createJoinedReads() {
  const waiting = new Map<string, Reading>();
  const running = new Map<string, Promise<void>>();
  const endOfTurn = createEndsOfTurns();

  async function begin(question: string, reading: Reading, run: () => StoreAnswer | Promise<StoreAnswer>) {
    await endOfTurn();
    const before = running.get(question);
    if (before) await endOf(before);
    waiting.delete(question);
    let end!: () => void;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    running.set(question, ended);
    try {
      const answer = await run();
      if (reading.askers > 1) lasting(answer.json);
      return answer;
    } finally {
      if (running.get(question) === ended) running.delete(question);
      end();
    }
  }

  /** The answer to a question, by the run of whoever asked it first. */
  return (question: string, run: () => StoreAnswer | Promise<StoreAnswer>): Promise<StoreAnswer> => {
    const known = waiting.get(question);
    if (known) {
      known.askers += 1;
      return known.answer;
    }
    const reading = { askers: 1 } as Reading;
    waiting.set(question, reading);
    reading.answer = begin(question, reading, run);
    return reading.answer;
  };
}
