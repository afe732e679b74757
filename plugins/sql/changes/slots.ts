import type { Connection } from '../database/database';
import type { Dialect } from '../dialects/dialect';

/** Where the transactions of one process tell what they changed: a row that only one of them writes at a time. */
interface Slot {
  /** Of its row, once that was committed. */
  id: number | undefined;
  /** How many transactions have told something in it. */
  count: number;
  /** By table, in which of them it was changed last. */
  readonly tables: Map<string, number>;
  /** Changes of other tables than these were no later than this. */
  since: number;
}

/** What a slot's row says of tables. */
export interface ToldTables {
  readonly since: number;
  readonly tables: Readonly<Record<string, number>>;
}

/** A transaction's entry in its slot, which is used again once it is known how the transaction ended. */
export interface Entry {
  /** To be called last in the transaction, and ahead of what may end it: then in the same row at its end. */
  tell(connection: Writing): Promise<void>;
  committed(): void;
  undone(): void;
}

/** Tables named in one row; of those changed longest ago, only the number is known of which none has a later one. */
const mostNamed = 40;

function withChange(
  slot: Slot,
  changed: Iterable<string>,
): { count: number; tables: Map<string, number>; since: number } {
  const count = slot.count + 1;
  const tables = new Map(slot.tables);
  let since = slot.since;
  for (const table of changed) {
    tables.delete(table);
    tables.set(table, count);
  }
  while (tables.size > mostNamed) {
    const [first] = tables;
    since = Math.max(since, first![1]);
    tables.delete(first![0]);
  }
  return { count, tables, since };
}

export type Writing = Pick<Connection, 'run'>;

export const slotTable = 'heddle_changes';

/**
 * Tells other processes, in each transaction, what it changed. Every transaction writes a row of its own for that, which
 * later ones use again, so that none waits for another.
 */
export function createSlots(dialect: Dialect) {
  const free: Slot[] = [];
  const { id, placeholder } = dialect;
  const columns = ['count', 'tables', 'used_at'];
  const places = columns.map((_, index) => placeholder(index + 1));
  const settings = columns.map((column, index) => `${id(column)}=${places[index]}`).join(',');
  const update = { sql: `update ${slotTable} set ${settings} where id=${placeholder(4)}` };
  const returning = dialect.name === 'postgres' ? ' returning id' : '';
  const insert = {
    sql: `insert into ${slotTable} (${columns.map(id).join(',')}) values (${places.join(',')})${returning}`,
  };

  async function write(connection: Writing, values: readonly unknown[], known: number | undefined): Promise<number> {
    // The row may be gone: those that nobody wrote to for long are removed.
    if (known !== undefined && (await connection.run(update, [...values, known])).changes > 0) return known;
    return (await connection.run(insert, values)).firstId;
  }

  return {
    /** A slot whose transaction's end is not known is not used again. */
    entry(changed: Iterable<string>): Entry {
      let before: Slot | undefined;
      let told: Slot | undefined;
      return {
        async tell(connection) {
          before = told ?? free.pop() ?? { id: undefined, count: 0, tables: new Map(), since: 0 };
          const { count, tables, since } = withChange(before, changed);
          const text: ToldTables = { since, tables: Object.fromEntries(tables) };
          const now = dialect.store(new Date().toISOString(), 'datetime');
          const id = await write(connection, [count, JSON.stringify(text), now], before.id);
          told = { id, count, tables, since };
        },
        committed() {
          if (told) free.push(told);
        },
        undone() {
          // A row that was added by what was undone is not there.
          if (before?.id !== undefined) free.push(before);
        },
      };
    },
  };
}

export type Slots = ReturnType<typeof createSlots>;
