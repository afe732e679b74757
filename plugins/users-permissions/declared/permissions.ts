import { didYouMean, type Problem, problem } from '../../../core';

const where = 'config/access';

/** `api::article.article.find`, where a star stands for any name: `api::*.*.find`. */
export const isPattern = (text: string): boolean => text.includes('*');

function matching(pattern: string, known: readonly string[]): string[] {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  const expression = new RegExp(`^${parts.join('[^.:]+')}$`);
  return known.filter((action) => expression.test(action));
}

/** The actions that a list means; what means none is a mistake. */
export function expanded(
  listed: readonly string[],
  known: readonly string[],
  at: string,
): { actions: string[]; problems: Problem[] } {
  const problems: Problem[] = [];
  const actions = new Set<string>();
  for (const text of listed) {
    const found = isPattern(text) ? matching(text, known) : known.filter((action) => action === text);
    for (const action of found) actions.add(action);
    if (found.length === 0)
      problems.push(
        problem(
          where,
          isPattern(text) ? `names "${text}", which fits no permission.` : `names "${text}", which is no permission.`,
          `Correct it; \`heddle role list --permissions\` shows all there are.${didYouMean(text, known)}`,
          at,
        ),
      );
  }
  return { actions: [...actions].sort(), problems };
}

/** The same for a person at a command line. */
export function expandActions(listed: readonly string[], known: readonly string[]): string[] {
  const { actions, problems } = expanded(listed, known, '');
  const [first] = problems;
  if (first) throw new Error(`The command ${first.what} ${first.remedy}`);
  return actions;
}
