import type { Attribute } from '../attribute';
import type { ContentType } from '../content-type';
import type { ScalarStorage } from '../kinds/kind';
import type { ReadPlan } from '../plan';
import type { Bound, DocumentStore, Row, StoreAnswer, StoreTransaction } from '../store';
import { compareBound, isAmong, matches } from './matching';
import { createMemoryTies } from './memory-ties';

type Tables = Map<string, Row[]>;

const shownAs: Readonly<Partial<Record<ScalarStorage, (value: Bound) => unknown>>> = {
  biginteger: String,
  json: (value) => JSON.parse(String(value)),
  timestamp: (value) => String(Date.parse(String(value))),
};

function shown(row: Row, select: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(
    select.map(({ name, kind }) => {
      const value = row[name] ?? null;
      return [name, value === null ? null : (shownAs[kind.storage]?.(value) ?? value)];
    }),
  );
}

function answer(plan: ReadPlan, values: readonly Bound[], rows: readonly Row[]): StoreAnswer {
  const { where } = plan;
  const found = rows.filter((row) => !where || matches(where, row, values) === true);
  found.sort((a, b) => {
    for (const { attribute, descending } of plan.order) {
      const order = compareBound(a[attribute.name] ?? null, b[attribute.name] ?? null);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  });
  const start = Number(values[plan.start]);
  const page = found.slice(start, start + Number(values[plan.limit]));
  const json = JSON.stringify(page.map((row) => shown(row, plan.select)));
  return { json, count: page.length, ...(plan.total && { total: found.length }) };
}

/** Keeps documents in memory: for tests of core and of plugins, which need no database. */
export function createMemoryStore(): DocumentStore {
  let tables: Tables = new Map();
  let lastId = 0;
  let queue: Promise<unknown> = Promise.resolve();

  const rowsOf = ({ uid }: ContentType): Row[] => tables.get(uid) ?? [];
  const ties = createMemoryTies((type, match) => rowsOf(type).filter((row) => isAmong(match, row)));

  const transaction: StoreTransaction = {
    lock: () => undefined,
    insert(type, rows) {
      const added: Row[] = rows.map((row) => ({ ...row, id: ++lastId }));
      tables.set(type.uid, [...rowsOf(type), ...added]);
      return added.map(({ id }) => Number(id));
    },
    update(type, match, values) {
      let changed = 0;
      const changeOne = (row: Row): Row => {
        if (!isAmong(match, row)) return row;
        changed += 1;
        return { ...row, ...values };
      };
      tables.set(type.uid, rowsOf(type).map(changeOne));
      return changed;
    },
    delete(type, match) {
      const before = rowsOf(type);
      ties.forget(before.filter((row) => isAmong(match, row)).map(({ id }) => Number(id)));
      tables.set(
        type.uid,
        before.filter((row) => !isAmong(match, row)),
      );
      return before.length - rowsOf(type).length;
    },
    rows: (type, match) => rowsOf(type).filter((row) => isAmong(match, row)),
    ties: ties.ties,
    tiesTo: ties.tiesTo,
    tie: ties.tie,
    owners: (type, attribute, value, match) =>
      rowsOf(type)
        .filter((row) => isAmong(match, row) && row[attribute.name] === value)
        .map((row) => String(row['documentId'])),
  };

  return {
    prepare: (plan) => ({ run: (values) => answer(plan, values, rowsOf(plan.type)) }),
    transaction(work) {
      const run = queue.then(async () => {
        const before = new Map(tables);
        const undoTies = ties.mark();
        try {
          return await work(transaction);
        } catch (error) {
          tables = before;
          undoTies();
          throw error;
        }
      });
      queue = run.catch(() => undefined);
      return run;
    },
  };
}
