import { type Problem, problem } from '../../../core';
import { declaredNote, type Wanted } from './changes';
import type { DeclaredAccess } from './options';
import { expanded } from './permissions';

const where = 'config/access';

/** Whoever shows a key must be one token. */
function sharedKeys(tokens: DeclaredAccess['tokens']): Problem[] {
  const entries = Object.entries(tokens);
  return entries.flatMap(([name, { key }], index) => {
    const other = entries.slice(0, index).find(([, token]) => token.key === key);
    const remedy = 'Give each token a key of its own.';
    return other ? [problem(where, `has the same key as the token "${other[0]}".`, remedy, `tokens.${name}.key`)] : [];
  });
}

/** The declaration with its patterns written out, and all that is wrong with it. */
export function wantedAccess(
  { roles, tokens, locales }: DeclaredAccess,
  known: readonly string[],
): { wanted: Wanted; problems: Problem[] } {
  const problems = sharedKeys(tokens);
  const actionsOf = (listed: readonly string[], at: string): string[] => {
    const found = expanded(listed, known, at);
    problems.push(...found.problems);
    return found.actions;
  };
  const wanted: Wanted = {
    roles: Object.entries(roles).map(([type, { name, description, permissions }]) => ({
      type,
      name,
      description,
      actions: actionsOf(permissions, `roles.${type}`),
    })),
    tokens: Object.entries(tokens).map(([name, { key, type, permissions }]) => ({
      name,
      key,
      type,
      description: declaredNote,
      actions: actionsOf(permissions, `tokens.${name}`),
    })),
    locales,
  };
  return { wanted, problems };
}
