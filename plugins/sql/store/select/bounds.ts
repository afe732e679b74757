import { type Entry, entriesOf, type Predicate, type ReadPlan } from '../../../../core';
import { mayTakeLong } from './joined-conditions';
import { multiplies } from './multiples';
import type { BoundStatement } from './read-sql';

/** Whether lists inside of what is shown are looked for by conditions that may take long. */
const seeksLong = (entries: readonly Entry[]): boolean =>
  entries.some((entry) => {
    if ('inside' in entry) return seeksLong(entry.inside);
    if (!('populated' in entry)) return false;
    return entry.populated.selections.some((each) => mayTakeLong(each.where) || seeksLong(entriesOf(each)));
  });

/** A statement that looks for what meets a condition, bounded as that needs. */
export const seeking = (statement: BoundStatement, where: Predicate | undefined): BoundStatement =>
  mayTakeLong(where) ? { ...statement, multiplies: true } : statement;

/** A statement whose finds are answered, bounded as what it looks for, and what it shows, need. */
export const answering = (statement: BoundStatement, plan: ReadPlan): BoundStatement => ({
  ...statement,
  isAnswered: true,
  multiplies: mayTakeLong(plan.where) || multiplies(plan) || seeksLong(entriesOf(plan)),
});
