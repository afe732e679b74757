import type { Execution, ReadPlan } from '../../core';
import type { Question } from './kept-answers';

/** Finds what answers are read from, which each plan is asked for once. */
export function createQuestions() {
  const known = new WeakMap<ReadPlan, { readonly names: readonly string[] | undefined }>();

  function namesOf({ plan, reads }: Execution): readonly string[] | undefined {
    const found = known.get(plan);
    if (found) return found.names;
    const names = reads?.();
    known.set(plan, { names });
    return names;
  }

  /** Undefined for what can't be kept: what nobody else may be told, and what is answered from things that nobody watches. */
  return (execution: Execution): Question | undefined => {
    const { question: key } = execution;
    if (key === undefined) return undefined;
    const reads = namesOf(execution);
    return reads && { key, reads };
  };
}
