import type { Changes } from '../../../core';
import type { Database, Rows } from '../database/database';
import { inTime } from '../database/patience';
import type { Dialect } from '../dialects/dialect';
import { createLatest } from './latest';
import { createNotes, type KnownTables, type Notes } from './notes';
import { anything, createNumbers } from './numbers';
import { createSlots, type Entry, slotTable, type ToldTables } from './slots';
import { isUnforeseen, unforeseenSql } from './unforeseen';

/** Rows that nobody wrote to for so long are removed; whoever looked for less long ago has seen what they say. */
const keptFor = 24 * 3_600_000;
const longestUnseen = 3_600_000;
const pauseOfRemoval = 3_600_000;

/** Milliseconds for which an answer is waited for, and until another question is tried beside one that got none. */
const patience = 1_000;
const pause = 5_000;

/** What is needed of a server's database. */
interface Server extends Pick<Database, 'rows' | 'transaction'> {
  /** Waits for transactions that began when nobody wanted to know, and don't tell what they change. */
  untoldEnded(): Promise<void>;
}

/** What a server's database needs besides `Changes`: to tell of its own. */
export interface SharedChanges extends Changes {
  /** Whether anybody wants to know. */
  readonly isWanted: boolean;
  notes(): Notes;
  /** By which a transaction tells what it changed, if anybody wants to know. */
  entry(notes: Notes): Entry | undefined;
  /** To be called once the tables are there. */
  open(): Promise<void>;
}

/**
 * Knows what is changed by all processes of Heddle on one server, from rows that they write in the transactions that change
 * something. Programs that aren't Heddle are not noticed.
 */
export function createSharedChanges(
  dialect: Dialect,
  database: Server,
  dependents: KnownTables['dependents'],
): SharedChanges {
  const numbers = createNumbers();
  const known = { dependents, doesMore: false };
  const slots = createSlots(dialect);
  const { id } = dialect;
  /** By row: how many changes were told in it when it was last read. */
  let counts: ReadonlyMap<number, number> = new Map();
  let seenAt = 0;
  let isWanted = false;
  let removedAt = 0;

  async function removeOld(): Promise<void> {
    removedAt = Date.now();
    const before = dialect.store(new Date(removedAt - keptFor).toISOString(), 'datetime');
    const sql = `delete from ${slotTable} where ${id('count')}>0 and ${id('used_at')}<${dialect.placeholder(1)}`;
    await database.transaction(async (connection) => connection.run({ sql }, [before]));
  }

  /** Answers whether anything may have changed. */
  function heard(rows: Rows): boolean {
    const changed = new Set<string>();
    for (const [row, , told] of rows) {
      const before = counts.get(Number(row)) ?? 0;
      const { since, tables } = JSON.parse(String(told)) as ToldTables;
      if (since > before) changed.add(anything);
      for (const [table, count] of Object.entries(tables)) if (count > before) changed.add(table);
    }
    // Who wrote may not know of that yet, or never ask.
    if (known.doesMore && changed.size > 0) changed.add(anything);
    numbers.raise(changed);
    return changed.has(anything);
  }

  async function look(): Promise<number> {
    const now = Date.now();
    const found = await database.rows({ sql: `select id,${id('count')} from ${slotTable}` }, []);
    const next = new Map(found.map(([row, count]) => [Number(row), Number(count)]));
    const newer = [...next].filter(([row, count]) => counts.get(row) !== count);
    // Rows may have gone that were not seen since they changed, and a number that falls is of another database.
    const isLost = now - seenAt > longestUnseen || newer.some(([row, count]) => count < (counts.get(row) ?? 0));
    let mayBeAnything = isLost;
    if (newer.length > 0) {
      const sql = `select id,${id('count')},${id('tables')} from ${slotTable} where id in (${newer.map((_, at) => dialect.placeholder(at + 1)).join(',')})`;
      const rows = await database.rows(
        { sql },
        newer.map(([row]) => row),
      );
      mayBeAnything = heard(rows) || isLost;
      for (const [row, count] of rows) next.set(Number(row), Number(count));
    }
    if (isLost) numbers.raise([anything]);
    // Triggers and their like, too: where that fails, what was heard is heard again.
    if (mayBeAnything) await learn();
    counts = next;
    seenAt = now;
    // Rows that stay harm nobody: who reads does not wait for the removal, and one that fails is tried again after the pause.
    if (now - removedAt > pauseOfRemoval) void removeOld().catch(() => undefined);
    return numbers.current;
  }

  let silent: Promise<unknown> | undefined;
  let rests = 0;

  /** Fails where no answer comes soon: others don't wait for one that never will, and answers can be read without. */
  async function lookInTime(): Promise<number> {
    if (silent && performance.now() < rests) throw new Error('the database has not yet told what has changed');
    const answer = look();
    return inTime(answer, patience, () => {
      rests = performance.now() + pause;
      silent = answer;
      const ended = (): void => {
        if (silent === answer) silent = undefined;
      };
      answer.then(ended, ended);
    });
  }

  const looking = createLatest(lookInTime);

  return {
    get isWanted() {
      return isWanted;
    },
    latest: numbers.latest,
    catchUp: looking,
    async open() {
      isWanted = (await database.rows({ sql: `select 1 from ${slotTable} limit 1`, isAskedOnce: true }, [])).length > 0;
      if (isWanted) await learn();
    },
    async begin() {
      isWanted = true;
      await learn();
      await database.untoldEnded();
      // A row that is never removed tells all who start later that somebody wants to know.
      const mark = {
        sql: `insert into ${slotTable} (${id('count')},${id('tables')}) values (0,'{"since":0,"tables":{}}')`,
      };
      const sql = `select 1 from ${slotTable} where ${id('count')}=0`;
      if ((await database.rows({ sql }, [])).length === 0)
        await database.transaction(async (connection) => connection.run(mark, []));
      // Nobody waits for it yet, and a start may take its time.
      await look();
    },
    notes: () => createNotes(known),
    entry: ({ tables }) => (isWanted && tables.size > 0 ? slots.entry(tables) : undefined),
  };

  async function learn(): Promise<void> {
    known.doesMore = isUnforeseen(await database.rows({ sql: unforeseenSql[dialect.name] }, []), dependents);
  }
}
