import type { LockKey } from '../../../core';
import type { Connection, Database } from '../database/database';

/** Makes writers of the same things wait for each other until their transactions end. */
export interface Locks {
  lock(connection: Connection, keys: readonly LockKey[]): void | Promise<void>;
  /** For those who add to the ends of lists, after all that they lock otherwise. */
  lockEnds(connection: Connection, lists: readonly string[]): void | Promise<void>;
}

/** A number of 63 bits for a text; two texts of one number only wait for each other without need. */
function numberFor(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0x7fffffffffffffffn;
  return hash;
}

/** Numbers in their order, in which all take them, so that two writers of the same things do not wait for each other. */
function inOrder(keys: readonly LockKey[], numberOf: (text: string) => bigint): [number: bigint, isShared: boolean][] {
  const shared = new Map<bigint, boolean>();
  for (const key of keys) {
    const isShared = typeof key !== 'string';
    const number = numberOf(isShared ? key.shared : key);
    shared.set(number, isShared && (shared.get(number) ?? true));
  }
  return [...shared].sort(([one], [other]) => (one < other ? -1 : 1));
}

/** SQLite has one writer anyway. */
const noLocks: Locks = { lock: () => undefined, lockEnds: () => undefined };

const advisory =
  'select 1 from (select case when s then pg_advisory_xact_lock_shared(n) else pg_advisory_xact_lock(n) end' +
  ' from unnest($1::bigint[],$2::boolean[]) k(n,s)) l';

const advisoryLocks: Locks = {
  lock(connection, keys) {
    const all = inOrder(keys, numberFor);
    return connection.post({ sql: advisory }, [all.map(([number]) => String(number)), all.map(([, shared]) => shared)]);
  },
  lockEnds: (connection, lists) => advisoryLocks.lock(connection, lists),
};

const buckets = 4_096n;

/** Named locks outlive transactions: rows of `heddle_locks` are taken, which are there once they were. */
async function lockRows(connection: Connection, rows: readonly (readonly [bigint, boolean])[]): Promise<void> {
  for (let from = 0, to = 0; from < rows.length; from = to) {
    const [, isShared] = rows[from]!;
    while (to < rows.length && rows[to]![1] === isShared) to += 1;
    const ids = rows.slice(from, to).map(([number]) => Number(number));
    const values = ids.map(() => '(?)').join(',');
    // Who finds a row that he would add has it with others, unless he says that he changes it.
    const sql = isShared
      ? `insert ignore into heddle_locks (id) values ${values}`
      : `insert into heddle_locks (id) values ${values} on duplicate key update id=id`;
    await connection.post({ sql }, ids);
  }
}

const rowLocks: Locks = {
  lock: (connection, keys) =>
    lockRows(
      connection,
      inOrder(keys, (text) => (numberFor(text) % buckets) + 1n),
    ),
  // Apart from the others: who shares one of those and wants it for himself waits for who does the same.
  lockEnds: (connection, lists) =>
    lockRows(
      connection,
      inOrder(lists, (text) => (numberFor(text) % buckets) + buckets + 1n),
    ),
};

export const locksOn = ({ dialect: { name } }: Database): Locks =>
  ({ sqlite: noLocks, postgres: advisoryLocks, mysql: rowLocks })[name];
