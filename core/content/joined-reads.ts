import { lasting } from '../lasting-bytes';
import type { Bound, StoreAnswer } from './store';

type Run = () => StoreAnswer | Promise<StoreAnswer>;

/** What makes a question one of several that differ in one value, and can be read together. */
export interface Grouped {
  /** The same for all of them. */
  readonly group: string;
  readonly value: Bound;
  /** The answers for several values, in their order. */
  run(values: readonly Bound[]): Promise<readonly StoreAnswer[]>;
}

/** A question, and how it is read by itself. */
interface Asked {
  askers: number;
  readonly run: Run;
  readonly grouped?: Grouped;
}

type Outcome = PromiseSettledResult<StoreAnswer>;

/** A reading that has yet to begin: until then it takes in whoever asks the same, or another question of its group. */
interface Reading {
  readonly asked: Map<string, Asked>;
  outcomes: Promise<ReadonlyMap<string, Outcome>>;
  /** Ends its waiting for readings that are under way. */
  proceed?: () => void;
}

/** Readings of one question or group that may be under way at once, so that two clients never wait for each other. */
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

async function readAlone({ run }: Asked): Promise<Outcome> {
  try {
    return { status: 'fulfilled', value: await run() };
  } catch (reason) {
    return { status: 'rejected', reason };
  }
}

async function readTogether(all: readonly Asked[]): Promise<readonly Outcome[]> {
  const { grouped } = all[0]!;
  if (all.length === 1 || !grouped) return Promise.all(all.map(readAlone));
  try {
    const answers = await grouped.run(all.map((asked) => asked.grouped!.value));
    return answers.map((value) => ({ status: 'fulfilled', value }));
  } catch {
    // Each fails by itself, or not at all: none is to be told what is wrong with another.
    return Promise.all(all.map(readAlone));
  }
}

/** What came of each question of a reading. */
async function outcomesOf(asked: ReadonlyMap<string, Asked>): Promise<ReadonlyMap<string, Outcome>> {
  const outcomes = await readTogether([...asked.values()]);
  const byQuestion = new Map<string, Outcome>();
  for (const [question, { askers }] of asked) {
    const outcome = outcomes[byQuestion.size]!;
    if (askers > 1 && outcome.status === 'fulfilled') lasting(outcome.value.json);
    byQuestion.set(question, outcome);
  }
  return byQuestion;
}

/**
 * Reads what is asked for by several at the same time once for all of them, and what differs in one value together. Nothing
 * is kept: a reading begins after everyone whom it answers has asked, so that it shows whatever was committed before. Who
 * asks while as many readings of the same are under way as may be waits for the next, with all who come until that begins.
 */
export function createJoinedReads() {
  const waiting = new Map<string, Reading>();
  const underWay = new Map<string, number>();
  const endOfTurn = createEndsOfTurns();

  function end(name: string): void {
    const others = underWay.get(name)! - 1;
    if (others > 0) underWay.set(name, others);
    else underWay.delete(name);
    waiting.get(name)?.proceed?.();
  }

  /** Waits and reads where whoever asked first stands, so that what is told of a request is told of that one. */
  async function read(name: string, reading: Reading): Promise<ReadonlyMap<string, Outcome>> {
    await endOfTurn();
    if ((underWay.get(name) ?? 0) >= mostUnderWay) await roomFor(reading);
    waiting.delete(name);
    underWay.set(name, (underWay.get(name) ?? 0) + 1);
    try {
      return await outcomesOf(reading.asked);
    } finally {
      end(name);
    }
  }

  /** The reading that begins next under a name. */
  function nextReading(name: string): Reading {
    const known = waiting.get(name);
    if (known) return known;
    const reading = { asked: new Map() } as unknown as Reading;
    waiting.set(name, reading);
    reading.outcomes = read(name, reading);
    return reading;
  }

  return {
    /** The answer to a question, by the run of whoever asked it first, or with others of its group. */
    async answer(question: string, run: Run, grouped?: Grouped): Promise<StoreAnswer> {
      const { asked, outcomes } = nextReading(grouped?.group ?? question);
      const known = asked.get(question);
      if (known) known.askers += 1;
      else asked.set(question, { askers: 1, run, ...(grouped && { grouped }) });
      const outcome = (await outcomes).get(question)!;
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    },
    /** Readings of as many questions and groups are waiting or under way. */
    get size(): number {
      return new Set([...waiting.keys(), ...underWay.keys()]).size;
    },
  };
}
