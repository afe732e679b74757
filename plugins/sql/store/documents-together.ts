import type { Bound, Predicate, PreparedRead, ReadPlan, StoreAnswer } from '../../../core';
import type { Database, Rows } from '../database/database';
import { joinedTexts } from './joined-texts';
import { type BoundStatement, documentsStatement } from './read-sql';
import type { Scope } from './scope';

/** How many documents a statement is about; of others one is named twice. Servers keep what was prepared for each. */
const sizes = [2, 4, 8] as const;
const most = sizes.at(-1)!;

/** A condition with another in the place of what compares with a slot, where it has that among what must all be met. */
function withInstead(where: Predicate, slot: number, other: Predicate): Predicate | undefined {
  if (where.op === 'compare' && where.slot === slot) return other;
  if (where.op !== 'and') return undefined;
  for (const [index, item] of where.items.entries()) {
    const changed = withInstead(item, slot, other);
    if (changed) return { ...where, items: where.items.with(index, changed) };
  }
  return undefined;
}

/** The plan of one document for several, whose slots come behind all others. */
function planFor(plan: ReadPlan, slot: number, size: number): ReadPlan | undefined {
  const attribute = plan.type.attributes.get('documentId')!;
  const items = Array.from({ length: size }, (_, at): Predicate => {
    return { op: 'compare', attribute, comparison: 'eq', slot: plan.bindings.length + at };
  });
  const where = plan.where && withInstead(plan.where, slot, { op: 'or', items });
  return where && { ...plan, where };
}

const inParts = <T>(list: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(list.length / most) }, (_, at) => list.slice(at * most, (at + 1) * most));

/**
 * Reads several documents by one statement, where statements travel: absent for plans that are about anything but the first
 * row of a document. What the statement does not find is read by itself, so that nothing is found in another way.
 */
export function prepareTogether(
  plan: ReadPlan,
  tableOf: Scope['tableOf'],
  database: Database,
  run: PreparedRead['run'],
): PreparedRead['together'] {
  const { document: slot } = plan;
  const isOneRow = !plan.total && !plan.after && !plan.groups;
  if (slot === undefined || !isOneRow || !database.dialect.travels) return undefined;
  if (!planFor(plan, slot, most)) return undefined;
  const statements = new Map<number, BoundStatement>();

  function statementFor(size: number): BoundStatement {
    const known = statements.get(size);
    if (known) return known;
    const made = documentsStatement(planFor(plan, slot!, size)!, tableOf, database.dialect);
    statements.set(size, made);
    return made;
  }

  async function readPart(bound: readonly Bound[], documents: readonly Bound[]): Promise<StoreAnswer[]> {
    if (documents.length === 1) return [await run(bound.with(slot!, documents[0]!))];
    const size = sizes.find((each) => each >= documents.length)!;
    const named = Array.from({ length: size }, (_, at) => documents[Math.min(at, documents.length - 1)]!);
    const statement = statementFor(size);
    const rows = await database.rows(statement, statement.parameters.values([...bound.with(slot!, null), ...named]));
    const found = new Map<unknown, Rows[number]>();
    for (const [document, ...row] of rows) if (!found.has(document)) found.set(document, row);
    return Promise.all(
      documents.map((document) => {
        const row = found.get(document);
        return row ? joinedTexts([row], database) : run(bound.with(slot!, document));
      }),
    );
  }

  return async (bound, documents) => {
    const parts = await Promise.all(inParts(documents).map((part) => readPart(bound, part)));
    return parts.flat();
  };
}
