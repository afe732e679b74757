import { type Problem, ProjectError, placeOf, problem, TapError } from '../../core';
import { failureReport } from '../failure-report';

const firstLine = (text: string): string => text.split('\n')[0]!.replace(/\.$/, '');

/** What a look at an application failed with, as mistakes of it. */
export function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof ProjectError) return error.problems;
  if (error instanceof TapError) {
    const { plugin, hook, cause } = error;
    return [problem(`plugin "${plugin}"`, `fails in hook ${hook}: ${cause}${placeOf(cause)}.`, 'Mend it there.')];
  }
  return [
    problem(
      'the application',
      `can't be looked at: ${firstLine(failureReport(error))}${placeOf(error)}.`,
      'Mend what is named there.',
    ),
  ];
}

/** The same for what the database failed with; what plugins say stays what it is. */
export function databaseProblem(error: unknown): Error {
  if (error instanceof ProjectError || error instanceof TapError) return error;
  const what = `names a database that can't be looked at: ${firstLine(failureReport(error))}.`;
  return new ProjectError([problem('config/database', what, 'Correct it, or see that the database is there.')]);
}
