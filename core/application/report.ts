import { type Problem, ProjectError } from '../kernel/problems';

/**
 * Goes on after a refusal, so that a broken project hears of everything at once. An unexpected error after a refusal
 * is taken for its consequence.
 */
export function createReport() {
  const problems: Problem[] = [];
  const seen = new Set<string>();

  function add(found: readonly Problem[]): void {
    for (const problem of found) {
      const key = JSON.stringify(problem);
      if (!seen.has(key)) problems.push(problem);
      seen.add(key);
    }
  }

  async function attempt<T>(step: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await step();
    } catch (error) {
      if (error instanceof ProjectError) add(error.problems);
      else if (problems.length === 0) throw error;
      return undefined;
    }
  }

  return {
    add,
    attempt,
    refuseIfAny() {
      if (problems.length > 0) throw new ProjectError(problems);
    },
  };
}
