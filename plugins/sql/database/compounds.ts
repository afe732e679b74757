import { Lru } from '../../../core';
import type { Answered, Asked } from './batched-line';
import type { Rows } from './database';

/** One statement that runs several, and what their answers are told from. */
export interface Compound {
  readonly sql: string;
  /** Takes what the server answers to it. */
  answersIn(result: unknown): Answered[];
}

/** What makes compounds of batches. */
export interface Compounds {
  /** Undefined for a batch that did not come often yet, or is to be run one by one. */
  of(all: readonly Asked[]): Compound | undefined;
  /** To be called of a batch that the server prepares no compound for. */
  refuse(all: readonly Asked[]): void;
}

/** Batches that are remembered, and how often one comes before it is worth being made one. */
const mostBatches = 1_000;
const timesApart = 3;
const never = Number.POSITIVE_INFINITY;

/** Statements longer than this are run by themselves, as are batches of such length: their texts would fill the memory. */
const longestText = 16_000;
const longestCompound = 48_000;
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

/** What answers with one set of rows, what with none, and what would end or hide another statement. */
const selecting = /^\s*select\b/i;
const changing = /^\s*(insert|update|delete|replace)\b/i;
const inserting = /^\s*(insert|replace)\b/i;
const unfit = /;|--|#|\/\*|\breturning\b/i;

/** Whether it can be told from what comes back which answer is whose. */
const isFit = ({ kind, sql }: Asked): boolean =>
  kind === 'plain' || (!unfit.test(sql) && (kind === 'rows' ? selecting : changing).test(sql));

/** Told at the end, in variables of the session: a name of a block's own would hide a column of that name. */
const changesOf = (at: number): string => `@heddle_changes${at}`;
const firstIdOf = (at: number): string => `@heddle_id${at}`;

function compoundOf(all: readonly Asked[]): Compound | undefined {
  if (!all.every(isFit)) return undefined;
  const kinds = all.map(({ kind }) => kind);
  const told: string[] = [];
  const parts = all.map(({ kind, sql }, at) => {
    if (kind !== 'run') return `${sql};`;
    const isInsert = inserting.test(sql);
    told.push(changesOf(at), isInsert ? firstIdOf(at) : '0');
    return `${sql}; set ${changesOf(at)}=row_count()${isInsert ? `,${firstIdOf(at)}=last_insert_id()` : ''};`;
  });
  if (told.length > 0) parts.push(`select ${told.join(',')};`);
  const sql = `begin not atomic ${parts.join(' ')} end`;
  if (sql.length > longestCompound) return undefined;
  const sets = kinds.filter((kind) => kind === 'rows').length + (told.length > 0 ? 1 : 0);
  return {
    sql,
    answersIn(result) {
      // One set of rows for each select, and at last what became of the whole.
      const found = Array.isArray(result) ? (result as Rows[]) : [];
      if (found.length !== (sets > 0 ? sets + 1 : 0)) throw new Error('The server answered otherwise than was asked');
      const changed = told.length > 0 ? found.at(-2)![0]! : [];
      let set = 0;
      let change = 0;
      return kinds.map((kind): Answered => {
        if (kind === 'rows') return found[set++];
        if (kind !== 'run') return undefined;
        return { changes: Number(changed[change++]), firstId: Number(changed[change++]) };
      });
    },
  };
}

/** Makes one statement of those that are sent together, where they come together again and again. */
export function createCompounds(): Compounds {
  const numberOf = createNumbers();
  const batches = new Lru<Compound | number>(mostBatches);
  const keyOf = (all: readonly Asked[]): string => all.map(({ kind, sql }) => `${kind}${numberOf(sql)}`).join();
  return {
    of(all) {
      // What is set for a statement can't be set inside of another one.
      if (all.length === 1 || all.some(({ sql, settings }) => settings !== undefined || sql.length > longestText))
        return undefined;
      const key = keyOf(all);
      const found = batches.get(key) ?? 0;
      if (typeof found === 'object') return found;
      if (found < timesApart) {
        batches.set(key, found + 1);
        return undefined;
      }
      const made = found === never ? undefined : compoundOf(all);
      batches.set(key, made ?? never);
      return made;
    },
    refuse: (all) => void batches.set(keyOf(all), never),
  };
}
