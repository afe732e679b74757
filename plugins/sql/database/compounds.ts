import { Lru } from '../../../core';
import type { Answered, Asked } from './batched-line';
import type { Rows } from './database';

/** One statement that runs several, and what their answers are told from. */
export interface Compound {
  readonly sql: string;
  /** Takes what the server answers to it. */
  answersIn(result: unknown): Answered[];
}

/** Batches that are remembered, and how often one comes before it is worth being prepared as a whole. */
const mostBatches = 2_000;
const timesApart = 3;

const mostNumbers = 10_000;

/** Short names for texts; one that was forgotten comes back with another. */
function createNumbers(): (text: string) => number {
  let numbers = new Map<string, number>();
  let last = 0;
  return (text) => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    if (numbers.size >= mostNumbers) numbers = new Map();
    last += 1;
    numbers.set(text, last);
    return last;
  };
}

/** Told at the end, in variables of the session: a name of a block's own would hide a column of that name. */
const changesOf = (at: number): string => `@heddle_changes${at}`;
const firstIdOf = (at: number): string => `@heddle_id${at}`;

function compoundOf(kinds: readonly Asked['kind'][], texts: readonly string[]): Compound {
  const told: string[] = [];
  const parts = texts.map((sql, at) => {
    if (kinds[at] !== 'run') return `${sql};`;
    told.push(changesOf(at), firstIdOf(at));
    return `${sql}; set ${changesOf(at)}=row_count(),${firstIdOf(at)}=last_insert_id();`;
  });
  if (told.length > 0) parts.push(`select ${told.join(',')};`);
  return {
    sql: `begin not atomic ${parts.join(' ')} end`,
    answersIn(result) {
      // One set of rows for each select, and at last what became of the whole.
      const sets = result as Rows[];
      const changed = told.length > 0 ? sets.at(-2)![0]! : [];
      let set = 0;
      let change = 0;
      return kinds.map((kind): Answered => {
        if (kind === 'rows') return sets[set++];
        if (kind !== 'run') return undefined;
        return { changes: Number(changed[change++]), firstId: Number(changed[change++]) };
      });
    },
  };
}

/**
 * Makes one statement of those that are sent together, where they come together again and again: what has to be prepared
 * for one time takes longer than it saves.
 */
export function createCompounds(): (all: readonly Asked[]) => Compound | undefined {
  const numberOf = createNumbers();
  const batches = new Lru<Compound | number>(mostBatches);
  return (all) => {
    if (all.length === 1) return undefined;
    const key = all.map(({ kind, sql }) => `${kind}${numberOf(sql)}`).join();
    const found = batches.get(key) ?? 0;
    if (typeof found === 'object') return found;
    if (found < timesApart) {
      batches.set(key, found + 1);
      return undefined;
    }
    const compound = compoundOf(
      all.map(({ kind }) => kind),
      all.map(({ sql }) => sql),
    );
    batches.set(key, compound);
    return compound;
  };
}
