import { lasting } from '../lasting-bytes';
import type { StoreAnswer } from './store';

type Run = () => StoreAnswer | Promise<StoreAnswer>;

/** A reading that has yet to begin: it answers all who ask the same until then. */
interface Reading {
  askers: number;
  answer: Promise<StoreAnswer>;
  /** Ends its waiting for readings that are under way. */
  proceed?: () => void;
}

/** Readings of one question that may be under way at once, so that two clients never wait for each other. */
const mostUnderWay = 2;
/** Milliseconds for which a reading that could begin waits at most for those under way. */
const longestWait = 10;

/** The end of this turn of the event loop, when all requests have been taken in that arrived together. */
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

const roomFor = (reading: Reading): Promise<void> =>
  new Promise((resolve) => {
    const patience = setTimeout(resolve, longestWait);
    reading.proceed = () => {
      clearTimeout(patience);
      resolve();
    };
  });

/**
 * Reads what is asked for by several at the same time once for all of them. Nothing is kept: a reading begins after
 * everyone whom it answers has asked, so that it shows whatever was committed before. Who asks while as many readings of
 * the same are under way as may be waits for the next, with all who come until that begins.
 */
export function createJoinedReads() {
  const waiting = new Map<string, Reading>();
  const underWay = new Map<string, number>();
  const endOfTurn = createEndsOfTurns();

  function end(question: string): void {
    const others = underWay.get(question)! - 1;
    if (others > 0) underWay.set(question, others);
    else underWay.delete(question);
    waiting.get(question)?.proceed?.();
  }

  /** Waits and reads where whoever asked first stands, so that what is told of a request is told of that one. */
  async function read(question: string, reading: Reading, run: Run): Promise<StoreAnswer> {
    await endOfTurn();
    if ((underWay.get(question) ?? 0) >= mostUnderWay) await roomFor(reading);
    waiting.delete(question);
    underWay.set(question, (underWay.get(question) ?? 0) + 1);
    try {
      const answer = await run();
      if (reading.askers > 1) lasting(answer.json);
      return answer;
    } finally {
      end(question);
    }
  }

  return {
    /** The answer to a question, by the run of whoever asked it first. */
    answer(question: string, run: Run): Promise<StoreAnswer> {
      const known = waiting.get(question);
      if (known) {
        known.askers += 1;
        return known.answer;
      }
      const reading = { askers: 1 } as Reading;
      waiting.set(question, reading);
      reading.answer = read(question, reading, run);
      return reading.answer;
    },
    /** Questions that are being answered. */
    get size(): number {
      return new Set([...waiting.keys(), ...underWay.keys()]).size;
    },
  };
}
