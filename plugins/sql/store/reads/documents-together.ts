import {
  type Bound,
  flatMapped,
  type Predicate,
  type PreparedRead,
  type ReadPlan,
  type StoreAnswer,
} from '../../../../core';
import type { Database, Rows } from '../../database/database';
import { isForAll } from '../../database/failures';
import { joinedTexts } from '../select/joined-texts';
import { multiplies } from '../select/multiples';
import { type BoundStatement, documentsStatement } from '../select/read-sql';
import type { Scope } from '../tables/scope';

/** How many documents a statement is about; the last one is named again where there are fewer. Servers keep what was prepared for each. */
const sizes = [2, 4, 8] as const;
const most = sizes.at(-1)!;

/** What must be met besides what compares with a slot; undefined where that is not among what must all be met. */
function withoutSlot(where: Predicate, slot: number): Predicate | undefined {
  if (where.op === 'compare' && where.slot === slot) return { op: 'and', items: [] };
  if (where.op !== 'and') return undefined;
  for (const [index, item] of where.items.entries()) {
    const rest = withoutSlot(item, slot);
    if (rest) return { ...where, items: where.items.with(index, rest) };
  }
  return undefined;
}

const inParts = <T>(list: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(list.length / most) }, (_, at) => list.slice(at * most, (at + 1) * most));

/** No collation takes one of these for another. */
const isPlain = (document: unknown): boolean => /^[a-z0-9]+$/.test(String(document));

/**
 * Reads several documents by one statement, the first row of each, where statements travel: absent for plans that are about
 * anything else. What the statement may have found under the name of another is read by itself, and so is each document if
 * the statement fails, so that none is found in another way or told what is wrong with another.
 */
export function prepareTogether(
  plan: ReadPlan,
  tableOf: Scope['tableOf'],
  database: Database,
  run: PreparedRead['run'],
): PreparedRead['together'] {
  const { document: slot } = plan;
  const isOneRow = !plan.total && !plan.after && !plan.groups;
  const { travels } = database.dialect;
  // One that takes very long would keep the others waiting, and be read once more by itself.
  if (slot === undefined || !isOneRow || !travels || multiplies(plan)) return undefined;
  const others = plan.where && withoutSlot(plan.where, slot);
  if (!others) return undefined;
  const besides = { ...plan, where: others };
  const statements = new Map<number, BoundStatement>();

  function statementFor(size: number): BoundStatement {
    const known = statements.get(size);
    if (known) return known;
    const slots = Array.from({ length: size }, (_, at) => plan.bindings.length + at);
    const made = { ...documentsStatement(besides, slots, tableOf, database.dialect), isAnswered: true };
    statements.set(size, made);
    return made;
  }

  /** The first row of each document that was found. */
  async function firstRows(
    bound: readonly Bound[],
    documents: readonly Bound[],
  ): Promise<ReadonlyMap<unknown, Rows[0]>> {
    const size = sizes.find((each) => each >= documents.length)!;
    const named = Array.from({ length: size }, (_, at) => documents[Math.min(at, documents.length - 1)]!);
    const statement = statementFor(size);
    const rows = await database.rows(statement, statement.parameters.values([...bound, ...named]));
    const first = new Map<unknown, Rows[0]>();
    for (const [document, ...row] of rows) if (!first.has(document)) first.set(document, row);
    return first;
  }

  /** One promise for each, so that none waits for what concerns another alone. */
  function readPart(bound: readonly Bound[], documents: readonly Bound[]): Promise<StoreAnswer>[] {
    const alone = async (document: Bound) => run(bound.with(slot!, document));
    if (documents.length === 1) return documents.map(alone);
    const found = firstRows(bound, documents);
    return documents.map(async (document) => {
      let rows: ReadonlyMap<unknown, Rows[0]>;
      try {
        rows = await found;
      } catch (error) {
        if (isForAll(error)) throw error;
        return alone(document);
      }
      const row = rows.get(document);
      if (row) return joinedTexts([row], database);
      const isMissing = isPlain(document) && [...rows.keys()].every(isPlain);
      return isMissing ? joinedTexts([], database) : alone(document);
    });
  }

  return {
    gathers: travels === 'dearly',
    run: (bound, documents) => flatMapped(inParts(documents), (part) => readPart(bound, part)),
  };
}
