import { type Problem, ProjectError, problemLines } from '../../../core';

/**
 * Makes what needs the schema when it is first asked for. Where that fails, and a type is called like something else, this
 * is why: what else is told of it follows from that. It fails for good, so nobody's requests try again.
 */
export function madeOnce<T>(make: () => T, calledAlike: readonly Problem[]): () => T {
  let made: T | undefined;
  let failed: { readonly why: unknown } | undefined;
  return () => {
    if (failed) throw failed.why;
    try {
      made ??= make();
      return made;
    } catch (error) {
      failed = { why: calledAlike.length > 0 ? new ProjectError(calledAlike) : error };
      throw failed.why;
    }
  };
}

/** The same for a request, when the application has started long since. */
export function servingOnce<T>(once: () => T): () => T {
  return () => {
    try {
      return once();
    } catch (error) {
      if (!(error instanceof ProjectError)) throw error;
      throw new Error(`nothing is answered over GraphQL, whose schema can't be made:\n${problemLines(error.problems)}`);
    }
  };
}
