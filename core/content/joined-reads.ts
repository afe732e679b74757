import { lasting } from '../lasting-bytes';
import type { Bound, StoreAnswer } from './store';

type Run = () => StoreAnswer | Promise<StoreAnswer>;

/** What makes a question one of several that differ in one value, and can be read together. */
export interface Grouped {
  /** The same for all of them. */
  readonly group: string;
  readonly value: Bound;
  /** An answer for each of several values, in their order. */
  run(values: readonly Bound[]): readonly Promise<StoreAnswer>[];
}

/** A question, and how it is read by itself. */
interface Asked {
  askers: number;
  readonly run: Run;
  readonly grouped: Grouped | undefined;
}

type Answers = ReadonlyMap<string, Promise<StoreAnswer>>;

/** A reading that has yet to begin: until then it takes in whoever asks the same, or another question of its group. */
interface Reading {
  readonly asked: Map<string, Asked>;
  /** By question. */
  readonly answers: Promise<Answers>;
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

const runNow = async (run: Run): Promise<StoreAnswer> => run();

function readAll(all: readonly Asked[]): readonly Promise<StoreAnswer>[] {
  const [{ grouped }] = all as readonly [Asked];
  if (all.length === 1 || !grouped) return all.map(({ run }) => runNow(run));
  return grouped.run(all.map((asked) => asked.grouped!.value));
}

async function shared(answer: Promise<StoreAnswer>): Promise<StoreAnswer> {
  lasting((await answer).json);
  return answer;
}

/** Begins to read what is asked. */
function begun(asked: ReadonlyMap<string, Asked>): Answers {
  const answers = readAll([...asked.values()]);
  const byQuestion = new Map<string, Promise<StoreAnswer>>();
  for (const [question, { askers }] of asked) {
    const answer = answers[byQuestion.size]!;
    byQuestion.set(question, askers > 1 ? shared(answer) : answer);
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
  /** What ends the waiting of a reading for those under way. */
  const proceed = new Map<string, () => void>();
  const endOfTurn = createEndsOfTurns();

  const roomFor = (name: string): Promise<void> =>
    new Promise((resolve) => {
      const go = (): void => {
        clearTimeout(patience);
        proceed.delete(name);
        resolve();
      };
      const patience = setTimeout(go, longestWait);
      proceed.set(name, go);
    });

  function end(name: string): void {
    const others = underWay.get(name)! - 1;
    if (others > 0) underWay.set(name, others);
    else underWay.delete(name);
    proceed.get(name)?.();
  }

  /** Waits and reads where whoever asked first stands, so that what is told of a request is told of that one. */
  async function read(name: string, asked: ReadonlyMap<string, Asked>): Promise<Answers> {
    await endOfTurn();
    if ((underWay.get(name) ?? 0) >= mostUnderWay) await roomFor(name);
    waiting.delete(name);
    const answers = begun(asked);
    underWay.set(name, (underWay.get(name) ?? 0) + 1);
    void Promise.allSettled(answers.values()).then(() => end(name));
    return answers;
  }

  /** The reading that begins next under a name. */
  function nextReading(name: string): Reading {
    const known = waiting.get(name);
    if (known) return known;
    const asked = new Map<string, Asked>();
    const reading = { asked, answers: read(name, asked) };
    waiting.set(name, reading);
    return reading;
  }

  return {
    /** The answer to a question, by the run of whoever asked it first, or with others of its group. */
    async answer(question: string, run: Run, grouped?: Grouped): Promise<StoreAnswer> {
      const { asked, answers } = nextReading(grouped?.group ?? question);
      const known = asked.get(question);
      if (known) known.askers += 1;
      else asked.set(question, { askers: 1, run, grouped });
      return (await answers).get(question)!;
    },
    /** Readings of as many questions and groups are waiting or under way. */
    get size(): number {
      return new Set([...waiting.keys(), ...underWay.keys()]).size;
    },
  };
}
