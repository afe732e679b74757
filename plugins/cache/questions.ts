import type { Bound, Execution, ReadPlan } from '../../core';
import type { Question } from './kept-answers';

/** Longer ones are asked once in a lifetime. */
const longestKey = 4_000;

/** Values of one list as a text that no other list has. */
function textOf(values: readonly Bound[]): string {
  let text = '';
  for (const value of values)
    text += typeof value === 'string' ? `"${value.length}:${value}` : `,${typeof value}:${value}`;
  return text;
}

/** Tells questions apart: by their plan, which what is asked and what the caller may see has one of, and by its values. */
export function createQuestions() {
  const known = new WeakMap<ReadPlan, { readonly id: number; readonly reads: readonly string[] | undefined }>();
  let plans = 0;

  function planOf({ plan, reads }: Execution) {
    const found = known.get(plan);
    if (found) return found;
    const made = { id: ++plans, reads: reads?.() };
    known.set(plan, made);
    return made;
  }

  /** Undefined for what can't be kept: asked in a way that never comes again, inside a transaction, or of what nobody watches. */
  return (execution: Execution): Question | undefined => {
    const { values, recurs, transaction } = execution;
    if (!recurs || transaction) return undefined;
    const { id, reads } = planOf(execution);
    if (!reads) return undefined;
    const key = `${id} ${textOf(values)}`;
    return key.length > longestKey ? undefined : { key, reads };
  };
}
