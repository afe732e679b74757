import { lasting } from '../lasting-bytes';
import { createReadingTurns } from './reading-turns';
import { type Crowd, createReturningCrowds, joinCrowd } from './returning-crowds';
import type { Bound, StoreAnswer } from './store';

type Run = () => StoreAnswer | Promise<StoreAnswer>;

/** What makes a question one of several that differ in one value, and can be read together. */
export interface Grouped {
  /** The same for all of them. */
  readonly group: string;
  readonly value: Bound;
  /** Whether it pays to wait for those who ask together again and again, though each asks something else. */
  readonly gathers: boolean;
  /** An answer for each of several values, in their order. */
  run(values: readonly Bound[]): readonly Promise<StoreAnswer>[];
}

/** A reading that has yet to begin: until then it takes in whoever asks the same. */
interface Reading {
  /** Apart from the answer: V8 is late to find a crowd that has gathered to be garbage, and would keep what it leads to. */
  readonly crowd: Crowd;
  readonly answer: Promise<StoreAnswer>;
}

/** A question among those of its group. */
interface Member extends Crowd {
  readonly answer: Promise<StoreAnswer>;
  readonly run: Run;
  readonly grouped: Grouped;
}

type Answers = ReadonlyMap<string, Promise<StoreAnswer>>;

/** A reading of questions of one group that has yet to begin: until then it takes in whoever asks one of them. */
interface GroupReading {
  /** All who ask one of them, where they are waited for. */
  readonly crowd: Crowd;
  readonly members: Map<string, Member>;
  /** By question. */
  readonly answers: Promise<Answers>;
}

/** What several share is made into what is sent once. */
async function shared(answer: Promise<StoreAnswer>, { size }: Crowd): Promise<StoreAnswer> {
  if (size > 1) lasting((await answer).json);
  return answer;
}

/** Begins to read all questions of a group that are asked, each with an answer of its own. */
function begun(members: ReadonlyMap<string, Member>): Answers {
  const all = [...members.values()];
  const [first] = all;
  const alone = async () => first!.run();
  const answers = all.length === 1 ? [alone()] : first!.grouped.run(all.map(({ grouped }) => grouped.value));
  return new Map([...members.keys()].map((question, at) => [question, shared(answers[at]!, all[at]!)]));
}

/**
 * Reads what is asked for by several at the same time once for all of them, and what differs in one value together. No
 * answer is kept: a reading begins after everyone whom it answers has asked, so that it shows whatever was committed before. Who
 * asks while as many readings of the same are under way as may be waits for the next, with all who come until that begins.
 */
export function createJoinedReads() {
  const waiting = new Map<string, Reading>();
  const groups = new Map<string, GroupReading>();
  const turns = createReadingTurns();
  const crowds = createReturningCrowds({ first: 100, longest: 100 });
  // Many ask for documents of one type without having to do with each other, hardly ever for the same list.
  const crowdsOfGroups = createReturningCrowds({ first: 10, longest: 800 });
  /** How many are being read for, by group. */
  const beingReadFor = new Map<string, number>();

  /** Waits and reads where whoever asked first stands, so that what is told of a request is told of that one. */
  async function read(question: string, crowd: Crowd, run: Run): Promise<StoreAnswer> {
    const gathering = crowds.gathering(question, crowd);
    if (gathering) await gathering;
    await turns.begin(question);
    waiting.delete(question);
    try {
      const answer = await run();
      if (crowd.size > 1) lasting(answer.json);
      crowds.answered(question, crowd);
      return answer;
    } finally {
      turns.end(question);
    }
  }

  function readFor(group: string, more: number): void {
    const count = (beingReadFor.get(group) ?? 0) + more;
    if (count > 0) beingReadFor.set(group, count);
    else beingReadFor.delete(group);
  }

  const unanswered = (group: string): number => (beingReadFor.get(group) ?? 0) + (groups.get(group)?.crowd.size ?? 0);

  async function readGroup({ group, gathers }: Grouped, crowd: Crowd, members: ReadonlyMap<string, Member>) {
    const gathering = gathers ? crowdsOfGroups.gathering(group, crowd) : undefined;
    if (gathering) await gathering;
    await turns.begin(group);
    groups.delete(group);
    if (gathers) readFor(group, crowd.size);
    const end = (isAnswered: boolean): void => {
      if (gathers) readFor(group, -crowd.size);
      if (gathers && isAnswered) crowdsOfGroups.answered(group, crowd, unanswered(group));
      turns.end(group);
    };
    try {
      const answers = begun(members);
      void Promise.allSettled(answers.values()).then((all) => end(all.every(({ status }) => status === 'fulfilled')));
      return answers;
    } catch (error) {
      end(false);
      throw error;
    }
  }

  /** The reading of a group that begins next. */
  function nextOf(grouped: Grouped): GroupReading {
    const known = groups.get(grouped.group);
    if (known) {
      joinCrowd(known.crowd);
      return known;
    }
    const crowd: Crowd = { size: 1 };
    const members = new Map<string, Member>();
    const reading = { crowd, members, answers: readGroup(grouped, crowd, members) };
    groups.set(grouped.group, reading);
    return reading;
  }

  function answerInGroup(question: string, run: Run, grouped: Grouped): Promise<StoreAnswer> {
    const { members, answers } = nextOf(grouped);
    const known = members.get(question);
    if (known) {
      known.size += 1;
      return known.answer;
    }
    const answer = answers.then((all) => all.get(question)!);
    members.set(question, { size: 1, answer, run, grouped });
    return answer;
  }

  return {
    /** The answer to a question, by the run of whoever asked it first, or with others of its group. */
    answer(question: string, run: Run, grouped?: Grouped): Promise<StoreAnswer> {
      if (grouped) return answerInGroup(question, run, grouped);
      const known = waiting.get(question);
      if (known) {
        joinCrowd(known.crowd);
        return known.answer;
      }
      const crowd: Crowd = { size: 1 };
      const answer = read(question, crowd, run);
      waiting.set(question, { crowd, answer });
      return answer;
    },
    /** Readings of as many questions and groups are waiting or under way. */
    get size(): number {
      return new Set([...waiting.keys(), ...groups.keys(), ...turns.underWay.keys(), ...beingReadFor.keys()]).size;
    },
  };
}
