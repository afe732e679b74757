import { Aftermath } from '../aftermath';
import { asJson } from '../answer-bytes';
import type { Attribute } from '../attribute';
import type { ContentType } from '../content-type';
import { type ScalarStorage, UnfitValue } from '../kinds/kind';
import { type Entry, entriesOf, type ReadPlan } from '../plan';
import type { Spelling } from '../query/shown';
import { rowId, rowIds } from '../row-id';
import type { Bound, DocumentStore, Mark, Row, RowMatch, StoreAnswer, StoreTransaction } from '../store';
import { compareBound, isAmong, matches } from './matching';
import { createMemoryTies } from './memory-ties';

type Tables = Map<string, Row[]>;

const shownAs: Readonly<Partial<Record<ScalarStorage, (value: Bound) => unknown>>> = {
  biginteger: String,
  json: (value) => JSON.parse(String(value)),
  timestamp: (value) => String(Date.parse(String(value))),
};

function shownValue(row: Row, { name, kind }: Attribute, spelling: Spelling | undefined): unknown {
  const value = row[name] ?? null;
  if (value === null) return null;
  if (spelling && 'words' in spelling) return spelling.words[String(value)] ?? value;
  const as = spelling?.as ?? kind.storage;
  if (as === 'exactNumber') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return shownAs[as] ? shownAs[as](value) : value;
}

/** The document's own values; what is tied to it is for stores that are for more than tests. */
function shown(row: Row, entries: readonly Entry[]): Record<string, unknown> {
  return Object.fromEntries(
    entries.flatMap((entry): [string, unknown][] => {
      if ('text' in entry) return [[entry.key, JSON.parse(entry.text)]];
      if ('inside' in entry) return [[entry.key, shown(row, entry.inside)]];
      return 'attribute' in entry ? [[entry.key, shownValue(row, entry.attribute, entry.spelling)]] : [];
    }),
  );
}

/** Big integers as their digits; booleans as numbers, which compare alike. */
const markOf = (value: Bound): Mark =>
  typeof value === 'bigint' ? String(value) : typeof value === 'boolean' ? Number(value) : value;

function boundOf(mark: Bound, { kind }: Attribute): Bound {
  if (kind.storage === 'boolean') return mark === 1;
  if (kind.storage !== 'biginteger') return mark;
  if (!/^-?\d+$/.test(String(mark))) throw new UnfitValue('is no big integer');
  return BigInt(String(mark));
}

/** Whether a row is behind a place in the order. */
function isAfter({ order, after = [] }: ReadPlan, values: readonly Bound[], row: Row): boolean {
  for (const [index, slot] of after.entries()) {
    const { attribute, descending } = order[index]!;
    const there = slot === null ? null : boundOf(values[slot]!, attribute);
    const compared = compareBound(row[attribute.name] ?? null, there);
    if (compared !== 0) return descending ? compared < 0 : compared > 0;
  }
  return after.length === 0;
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
  const listed = plan.after ? found.filter((row) => isAfter(plan, values, row)) : found;
  const start = plan.after ? 0 : Number(values[plan.start]);
  const page = listed.slice(start, start + Number(values[plan.limit]));
  const entries = entriesOf(plan);
  const json = asJson(page.map((row) => shown(row, entries)));
  const last = plan.after && page.length < listed.length ? page.at(-1) : undefined;
  return {
    json,
    count: page.length,
    ...(last && { last: plan.order.map(({ attribute }) => markOf(last[attribute.name] ?? null)) }),
    ...(plan.total && { total: found.length }),
  };
}

/** Keeps documents in memory: for tests of core and of plugins, which need no database. */
export function createMemoryStore(): DocumentStore {
  let tables: Tables = new Map();
  let lastId = 0;
  let queue: Promise<unknown> = Promise.resolve();

  const rowsOf = ({ uid }: ContentType): Row[] => tables.get(uid) ?? [];
  const matching = (type: ContentType, match: RowMatch): ((row: Row) => boolean) => {
    const { documentOf } = match;
    if (!documentOf) return (row) => isAmong(match, row);
    const named = rowsOf(type).filter((row) => documentOf.includes(rowId(row)));
    const documents = new Set(named.map((row) => row['documentId']));
    return (row) => documents.has(row['documentId'] ?? null) && isAmong(match, row);
  };
  const matched = (type: ContentType, match: RowMatch): Row[] => rowsOf(type).filter(matching(type, match));
  const ties = createMemoryTies(matched);

  const methods: Omit<StoreTransaction, 'aftermath'> = {
    lock: () => false,
    insert(type, rows) {
      const added: Row[] = rows.map((row) => ({ ...row, id: ++lastId }));
      tables.set(type.uid, [...rowsOf(type), ...added]);
      return rowIds(added);
    },
    update(type, match, values) {
      const isMatched = matching(type, match);
      const changeOne = (row: Row): Row => (isMatched(row) ? { ...row, ...values } : row);
      tables.set(type.uid, rowsOf(type).map(changeOne));
    },
    delete(type, match) {
      const before = rowsOf(type);
      const gone = new Set(matched(type, match));
      ties.forget(rowIds([...gone]));
      tables.set(
        type.uid,
        before.filter((row) => !gone.has(row)),
      );
    },
    rows: (type, match, _attributes, most) => matched(type, match).slice(0, most),
    ties: ties.ties,
    tiesTo: ties.tiesTo,
    tiesOf: ties.tiesOf,
    tie: ties.tie,
    tieAll: ties.tieAll,
    retie: ties.retie,
    handOver: ties.handOver,
    before: ties.before,
    place: ties.place,
    holding: (type, attribute, values, match) =>
      matched(type, match).filter((row) => values.includes(row[attribute.name] ?? null)),
  };

  return {
    prepare(plan) {
      if (plan.groups) throw new Error('the store in memory puts documents in no groups');
      return { run: (values) => answer(plan, values, rowsOf(plan.type)) };
    },
    transaction(work) {
      const aftermath = new Aftermath();
      const run = queue.then(async () => {
        const before = new Map(tables);
        const undoTies = ties.mark();
        try {
          const answer = await work({ ...methods, aftermath });
          aftermath.refuseFailed();
          return answer;
        } catch (error) {
          tables = before;
          undoTies();
          throw error;
        }
      });
      queue = run.catch(() => undefined);
      return run.then(async (answer) => {
        await aftermath.carryOut();
        return answer;
      });
    },
  };
}
