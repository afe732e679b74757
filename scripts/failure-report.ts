import type { Issue } from '../core';

/** Errors of a language rather than of its surroundings: only whoever wrote the code can do something about them. */
const mistakes = [TypeError, ReferenceError, RangeError, SyntaxError];

const originOf = (error: Error): unknown => (error.cause === undefined ? error : originOf(error.cause as Error));

/** Several mistakes in one document are only counted in its message. */
function issuesOf(error: Error): string {
  // Only what has failed needs all of this.
  const { HeddleError } = require('../core') as typeof import('../core');
  const issues = (error instanceof HeddleError && error.details?.['errors']) || [];
  return (issues as readonly Issue[]).length > 1
    ? (issues as readonly Issue[]).map(({ message }) => `\n- ${message}`).join('')
    : '';
}

/** What to print for an error that ended a command: the message is for people, a stack for whoever mends code. */
export function failureReport(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // What several attempts at a connection failed with has one code for all of them.
  if (error instanceof AggregateError && !('code' in error)) return error.errors.map(failureReport).join('\n');
  const origin = originOf(error);
  if (mistakes.some((mistake) => origin instanceof mistake)) return error.stack ?? error.message;
  const told = error.message + issuesOf(error);
  return told || `${error.name}${'code' in error ? ` (${error.code})` : ''}`;
}
