import type { LockKey } from '../../../../core';
import type { Connection, Database } from '../../database/database';
import { asOnlyWriter } from '../../database/every-writer';
import { inTurn } from './in-turn';
import { lockNumber } from './lock-number';

/** Makes writers of the same things wait for each other until their transactions end. */
export interface Locks {
  lock(connection: Connection, keys: readonly LockKey[]): void | Promise<void>;
  /** Nobody writes beside a transaction, whatever it locks. */
  readonly areNeedless?: boolean;
  /**
   * For those who add to lists of what they link, in the order in which these are named: they may do so several times, and
   * take the lists of one attribute after those of another whenever they do.
   */
  lockLists(connection: Connection, lists: readonly string[]): void | Promise<void>;
}

type Lock = readonly [number: bigint, isShared: boolean];

/** One lock for each number; who wants one alone does not share it. */
function locksFor(keys: readonly LockKey[], numberOf: (text: string) => bigint): Lock[] {
  const shared = new Map<bigint, boolean>();
  for (const key of keys) {
    const isShared = typeof key !== 'string';
    const number = numberOf(isShared ? key.shared : key);
    shared.set(number, isShared && (shared.get(number) ?? true));
  }
  return [...shared];
}

/** In the order in which all take them, so that two writers of the same things do not wait for each other. */
const inOrder = (locks: readonly Lock[]): Lock[] => [...locks].sort(([one], [other]) => (one < other ? -1 : 1));

/** SQLite has one writer anyway. */
const noLocks: Locks = { lock: () => undefined, areNeedless: true, lockLists: () => undefined };

const advisory =
  'select 1 from (select case when s then pg_advisory_xact_lock_shared(n) else pg_advisory_xact_lock(n) end' +
  ' from unnest($1::bigint[],$2::boolean[]) k(n,s)) l';

const takeAdvisory = (connection: Connection, all: readonly Lock[]): void | Promise<void> =>
  connection.post({ sql: advisory }, [all.map(([number]) => String(number)), all.map(([, isShared]) => isShared)]);

/** A server has room for some thousand locks in all, and a document may be in more lists than that. */
const mostLists = 1_024n;
const listNumberFor = (text: string): bigint => lockNumber(`list ${lockNumber(text) % mostLists}`);

/** Who would take more locks than this leaves writing to himself: a server has room for some thousand in all. */
const mostAdvisory = 500;

const advisoryLocks: Locks = {
  lock: (connection, keys) =>
    keys.length > mostAdvisory
      ? connection.post({ sql: asOnlyWriter }, [])
      : takeAdvisory(connection, inOrder(locksFor(keys, lockNumber))),
  lockLists: (connection, lists) => takeAdvisory(connection, locksFor(lists, listNumberFor)),
};

const buckets = 4_096n;
const rowFor = (text: string): bigint => (lockNumber(text) % buckets) + 1n;
/** Apart from the others: who shares one of those and wants it for himself waits for who does the same. */
const listRowFor = (text: string): bigint => rowFor(text) + buckets;

/**
 * Named locks outlive transactions: rows of `heddle_locks` are taken, which are there once a transaction that took them was
 * committed. Who adds one has it alone until then.
 */
function lockRows(connection: Connection, rows: readonly Lock[]): void | Promise<void> {
  const runs: { readonly ids: number[]; readonly isShared: boolean }[] = [];
  for (const [number, isShared] of rows) {
    const last = runs.at(-1);
    if (last?.isShared === isShared) last.ids.push(Number(number));
    else runs.push({ ids: [Number(number)], isShared });
  }
  return inTurn(runs, ({ ids, isShared }) => {
    const values = ids.map(() => '(?)').join(',');
    // Who finds a row that he would add has it with others, unless he says that he changes it.
    const sql = isShared
      ? `insert ignore into heddle_locks (id) values ${values}`
      : `insert into heddle_locks (id) values ${values} on duplicate key update id=id`;
    return connection.post({ sql }, ids);
  });
}

const rowLocks: Locks = {
  lock: (connection, keys) => lockRows(connection, inOrder(locksFor(keys, rowFor))),
  lockLists: (connection, lists) => lockRows(connection, locksFor(lists, listRowFor)),
};

export const locksOn = ({ dialect: { name } }: Database): Locks =>
  ({ sqlite: noLocks, postgres: advisoryLocks, mysql: rowLocks })[name];

/** Takes locks for one transaction, none that it has; answers whether there were any, for which it may have waited. */
export function lockingOn(
  connection: Connection,
  locks: Locks,
): (keys: readonly LockKey[]) => boolean | Promise<boolean> {
  const held = { alone: new Set<string>(), shared: new Set<string>() };
  const isHeld = (key: LockKey): boolean =>
    typeof key === 'string' ? held.alone.has(key) : held.alone.has(key.shared) || held.shared.has(key.shared);
  return (keys) => {
    const wanted = locks.areNeedless ? [] : keys.filter((key) => !isHeld(key));
    if (wanted.length === 0) return false;
    for (const key of wanted)
      if (typeof key === 'string') held.alone.add(key);
      else held.shared.add(key.shared);
    const locking = locks.lock(connection, wanted);
    return locking ? locking.then(() => true) : true;
  };
}
