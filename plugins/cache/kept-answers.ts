import { type Changes, createOutage, type Logger, lasting, type StoreAnswer } from '../../core';
import type { CacheOptions } from './options';

/** Milliseconds for which a reading is waited for by those who come later: it may never end, where its connection has fallen silent. */
const longestReading = 5_000;

interface Kept {
  /** The number of the latest change that the answer is known to show, as far as it is concerned. */
  asOf: number;
  readonly since: number;
  answer: StoreAnswer | Promise<StoreAnswer>;
  /** None while the answer is being read. */
  bytes: number;
}

export interface Counts {
  readonly hits: number;
  readonly misses: number;
  /** Answers that are kept, and the memory that they may take. */
  readonly answers: number;
  readonly bytes: number;
}

/** A question: the same text for the same question alone, and the names of all that it is answered from. */
export interface Question {
  readonly key: string;
  readonly reads: readonly string[];
}

/** What an answer takes besides its bytes and what is made of them. */
const overhead = 2_000;

/**
 * Whole answers, for as long as nothing of what they were read from has changed. Those that were asked for longest ago go
 * first.
 */
export function createKeptAnswers({ maxBytes, maxAnswerBytes, maxAge }: CacheOptions, changes: Changes, log: Logger) {
  const kept = new Map<string, Kept>();
  let [bytes, hits, misses] = [0, 0, 0];
  const silence = createOutage(
    log,
    'the store can not tell what has changed: until it does, answers are read anew',
    'the store tells again what has changed',
  );

  /** The number of the latest change; undefined where the store can't tell: then nothing that is kept can be given. */
  async function latest(): Promise<number | undefined> {
    try {
      const asOf = await changes.catchUp();
      silence.worked();
      return asOf;
    } catch (error) {
      silence.failed(error);
      return undefined;
    }
  }

  function drop(key: string, entry: Kept): void {
    if (kept.get(key) !== entry) return;
    kept.delete(key);
    bytes -= entry.bytes;
  }

  function holds(entry: Kept, { reads }: Question, asOf: number): boolean {
    const age = performance.now() - entry.since;
    if (maxAge !== undefined && age > maxAge * 1000) return false;
    if (entry.answer instanceof Promise && age > longestReading) return false;
    return entry.asOf >= asOf || changes.latest(reads) <= entry.asOf;
  }

  /** Keeps an answer that was read, unless something came between, and makes room for it. */
  function keep({ key, reads }: Question, entry: Kept, answer: StoreAnswer): void {
    const current = kept.get(key);
    if (current !== entry) {
      // Who did not wait for it any more has begun anew: until that ends, this one does.
      if (!(current?.answer instanceof Promise) || changes.latest(reads) > entry.asOf) return;
      kept.set(key, entry);
    }
    if (answer.json.length > maxAnswerBytes) {
      kept.delete(key);
      return;
    }
    entry.answer = answer;
    const grow = (more: number): void => {
      if (kept.get(key) !== entry) return;
      entry.bytes += more;
      bytes += more;
      makeRoom(key, entry);
    };
    grow(answer.json.length + 2 * key.length + overhead);
    lasting(answer.json, grow);
  }

  /** For an answer of which there is more than before: others go first. */
  function makeRoom(key: string, entry: Kept): void {
    for (const [oldest, other] of kept) {
      if (bytes <= maxBytes) return;
      if (other !== entry) drop(oldest, other);
    }
    if (bytes > maxBytes) drop(key, entry);
  }

  async function read(
    question: Question,
    asOf: number,
    run: () => StoreAnswer | Promise<StoreAnswer>,
  ): Promise<StoreAnswer> {
    const { key } = question;
    const before = kept.get(key);
    if (before) drop(key, before);
    const running = Promise.resolve(run());
    const entry: Kept = { asOf, since: performance.now(), answer: running, bytes: 0 };
    kept.set(key, entry);
    try {
      const answer = await running;
      keep(question, entry, answer);
      return answer;
    } catch (error) {
      drop(key, entry);
      throw error;
    }
  }

  return {
    /**
     * The answer to a question: what is kept, if it shows all that was committed before the question came; otherwise what
     * the run answers. Questions that come while the same is being read wait for that, on the same condition.
     */
    async answer(question: Question, run: () => StoreAnswer | Promise<StoreAnswer>): Promise<StoreAnswer> {
      const { key } = question;
      const asOf = await latest();
      if (asOf === undefined) {
        misses += 1;
        return run();
      }
      const entry = kept.get(key);
      if (!entry || !holds(entry, question, asOf)) {
        misses += 1;
        return read(question, asOf, run);
      }
      hits += 1;
      entry.asOf = Math.max(entry.asOf, asOf);
      kept.delete(key);
      kept.set(key, entry);
      return entry.answer;
    },
    counts: (): Counts => ({ hits, misses, answers: kept.size, bytes }),
  };
}

export type KeptAnswers = ReturnType<typeof createKeptAnswers>;
