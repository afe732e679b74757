import type { Execution, ReadPlan } from '../../core';
import type { Question } from './kept-answers';

/** Tells of questions what they are answered from, which each plan has to be asked for once. */
export function createQuestions() {
  const known = new WeakMap<ReadPlan, { readonly names: readonly string[] | undefined }>();

  function namesOf({ plan, reads }: Execution): readonly string[] | undefined {
    const found = known.get(plan);
    if (found) return found.names;
    const names = reads?.();
    known.set(plan, { names });
    return names;
  }

  /** Undefined for what can't be kept: what is never asked again, and what is answered from things that nobody watches. */
  return (execution: Execution): Question | undefined => {
    const { question } = execution;
    const reads = question === undefined ? undefined : namesOf(execution);
    return question === undefined || !reads ? undefined : { key: question, reads };
  };
}
