import { type Problem, problem, refuseIfAny } from '../../../core';
import { type Locales, nameOf } from '../../i18n';
import { grantedBy, seededGrants } from '../../sql';
import type { RoleRow, Roles } from '../roles/roles';
import type { ApiTokens, TokenInput } from '../tokens/api-tokens';
import type { DeclaredAccess } from './options';

/** One thing that is not as declared. */
export interface Change {
  /** What would change, each line beginning with `+` or `-`; no key is in it. */
  readonly lines: readonly string[];
  make(): Promise<unknown>;
}

/** The declaration with its patterns written out. */
export interface Wanted {
  readonly roles: readonly {
    type: string;
    name?: string | undefined;
    description?: string | undefined;
    actions: readonly string[];
  }[];
  readonly tokens: readonly (TokenInput & { readonly key: string })[];
  readonly locales: DeclaredAccess['locales'];
}

/** What is there. Roles and tokens are behind models, which a start without any declared need not load. */
export interface Present {
  readonly roles: () => Roles;
  readonly tokens: () => ApiTokens;
  /** Whether a declaration made tokens that are there still. */
  hasDeclaredTokens(): Promise<boolean>;
  readonly locales: Locales | undefined;
}

/** Tokens that a declaration made are known by it, so that they go when they are taken out of the file. */
export const declaredNote = 'Declared in config/access';

const own = `${grantedBy}.`;

/**
 * Registering and logging in go on working in the roles that everybody has, unless the list says itself what users may do
 * about their accounts.
 */
function withAccountActions(type: string, actions: readonly string[]): string[] {
  const seeded = Object.hasOwn(seededGrants, type) ? seededGrants[type as keyof typeof seededGrants] : [];
  const implied = actions.some((action) => action.startsWith(own)) ? [] : seeded.map((action) => own + action);
  return [...new Set([...actions, ...implied])];
}

async function roleChange(
  { type, name, description, actions }: Wanted['roles'][number],
  present: RoleRow | undefined,
  roles: Roles,
): Promise<Change | undefined> {
  const wanted = withAccountActions(type, actions);
  if (!present) {
    const input = { type, name: name ?? type.charAt(0).toUpperCase() + type.slice(1), description, actions: wanted };
    const lines = [`+ role ${type}`, ...wanted.map((action) => `+ role ${type}: ${action}`)];
    return { lines, make: () => roles.ensure(input) };
  }
  const granted = await roles.actionsOf(present.id);
  const renamed = [
    ...(name !== undefined && name !== present.name
      ? [`- role ${type}: name "${present.name}"`, `+ role ${type}: name "${name}"`]
      : []),
    ...(description !== undefined && description !== present.description
      ? [`+ role ${type}: description "${description}"`]
      : []),
  ];
  const lines = [
    ...renamed,
    ...granted.filter((action) => !wanted.includes(action)).map((action) => `- role ${type}: ${action}`),
    ...wanted.filter((action) => !granted.includes(action)).map((action) => `+ role ${type}: ${action}`),
  ];
  if (lines.length === 0) return undefined;
  const input = {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    actions: wanted,
  };
  return { lines, make: () => roles.update(present.id, input) };
}

const clashOf = (name: string): Problem =>
  problem(
    'config/access',
    'declares a token, but another one of this name was made elsewhere.',
    `Choose another name, or revoke that one: heddle token revoke ${name}`,
    `tokens.${name}`,
  );

async function tokenChanges(wanted: Wanted['tokens'], tokens: ApiTokens): Promise<Change[]> {
  const present = new Map((await tokens.list()).map((token) => [token.name, token]));
  const changes: Change[] = [];
  const clashes: Problem[] = [];
  for (const { name, description } of present.values()) {
    if (description !== declaredNote || wanted.some((token) => token.name === name)) continue;
    changes.push({ lines: [`- token ${name}`], make: () => tokens.revoke(name) });
  }
  for (const input of wanted) {
    if (await tokens.holds(input)) continue;
    const { name, type, actions = [] } = input;
    const there = present.get(name);
    if (there && there.description !== declaredNote) {
      clashes.push(clashOf(name));
      continue;
    }
    const what = type === 'custom' ? `custom: ${actions.join(', ')}` : type;
    const lines = [...(present.has(name) ? [`- token ${name}, as it is now`] : []), `+ token ${name}, ${what}`];
    changes.push({ lines, make: () => tokens.ensure(input) });
  }
  refuseIfAny(clashes);
  return changes;
}

async function localeChanges(wanted: Wanted['locales'], locales: Locales | undefined): Promise<Change[]> {
  if (!locales || wanted.length === 0) return [];
  await locales.reload();
  return wanted
    .map((each) => (typeof each === 'string' ? { code: each } : each))
    .filter(({ code }) => !locales.codes().includes(code))
    .map((locale) => ({
      lines: [`+ locale ${locale.code}`],
      make: () => locales.add({ name: nameOf(locale.code), ...locale }),
    }));
}

/** What must be changed for the application to be as declared; nothing, if it is so. */
export async function changesTo(wanted: Wanted, present: Present): Promise<Change[]> {
  const rows = wanted.roles.length > 0 ? await present.roles().list() : [];
  const ofRoles: Change[] = [];
  for (const role of wanted.roles) {
    const row = rows.find(({ type }) => type === role.type);
    const change = await roleChange(role, row, present.roles());
    if (change) ofRoles.push(change);
  }
  const concernsTokens = wanted.tokens.length > 0 || (await present.hasDeclaredTokens());
  return [
    ...ofRoles,
    ...(concernsTokens ? await tokenChanges(wanted.tokens, present.tokens()) : []),
    ...(await localeChanges(wanted.locales, present.locales)),
  ];
}
