/** Something wrong with the project or its configuration, told to the person who must mend it. */
export interface Problem {
  /** File, relative to the application, or the name of what is at fault. */
  where: string;
  /** JSON pointer or key path inside it; empty for the whole. */
  at?: string;
  what: string;
  remedy: string;
}

const line = (problem: Problem): string =>
  `- ${problem.where}${problem.at ? ` ${problem.at}` : ''}: ${problem.what} ${problem.remedy}`.trimEnd();

export const problemLines = (problems: readonly Problem[]): string => problems.map(line).join('\n');

/** Start-up is refused with every problem at once. */
export class ProjectError extends Error {
  override readonly name = 'ProjectError';

  constructor(readonly problems: readonly Problem[]) {
    super(
      `${problems.length === 1 ? 'A problem keeps' : `${problems.length} problems keep`} the application from starting:\n${problemLines(problems)}`,
    );
  }
}

export function refuseIfAny(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new ProjectError(problems);
}

export const problem = (where: string, what: string, remedy: string, at?: string): Problem => ({
  where,
  what,
  remedy,
  at,
});

/** Where in the code something was thrown, for whoever mends it: without all that led there. */
export function placeOf(error: unknown): string {
  const line = error instanceof Error ? /^\s+(at .+)$/m.exec(error.stack ?? '')?.[1] : undefined;
  return line ? ` (${line})` : '';
}
