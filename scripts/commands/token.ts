import { didYouMean } from '../../core';
import {
  ACCESS_DECLARATION,
  API_TOKENS,
  expandActions,
  KNOWN_ACTIONS,
  type TokenType,
} from '../../plugins/users-permissions';
import type { FolderOptions } from './application-folder';
import { columns } from './columns';
import { print, readingOnly, withApplication } from './with-application';

interface CreateOptions extends FolderOptions {
  readonly type?: TokenType;
  readonly permission?: string[];
  readonly days?: number;
  readonly description?: string;
}

const needs = { plugin: 'users-permissions', reason: 'API tokens' };
const readingNeeds = { ...needs, config: readingOnly };
const day = 86_400_000;

/** Prints the key alone to standard output, so that it can be piped to where it is needed. */
export const createToken = (name: string, options: CreateOptions): Promise<number> => {
  const { permission: patterns, days, description, type = patterns ? 'custom' : undefined, ...folders } = options;
  if (type === undefined)
    throw new Error('Say what the token may do: --type full-access, --type read-only, or --permission ACTION.');
  if ((type === 'custom') !== (patterns !== undefined))
    throw new Error('Permissions are those of a custom token: give --permission alone, or another --type alone.');
  return withApplication(folders, needs, async (service) => {
    const actions = expandActions(patterns ?? [], service(KNOWN_ACTIONS).list());
    const lifespan = days === undefined ? null : days * day;
    const { key } = await service(API_TOKENS).create({ name, type, description, actions, lifespan });
    print(key);
    process.stderr.write(`The token "${name}" was made. Its key is shown this once: only its hash is kept.\n`);
  });
};

const date = (time: string | null, otherwise: string): string => time?.slice(0, 10) ?? otherwise;

export const listTokens = (options: FolderOptions): Promise<number> =>
  withApplication(options, readingNeeds, async (service) => {
    const rows = (await service(API_TOKENS).list()).map(({ name, type, actions, lastUsedAt, expiresAt }) => [
      name,
      type === 'custom' ? `${type}: ${actions.length}` : type,
      date(lastUsedAt, 'never'),
      date(expiresAt, 'never'),
    ]);
    print(columns([['NAME', 'TYPE', 'USED', 'EXPIRES'], ...rows]));
  });

export const revokeToken = (name: string, options: FolderOptions): Promise<number> =>
  // One that was made elsewhere may be what keeps the declaration from being applied.
  withApplication(options, readingNeeds, async (service) => {
    const present = (await service(API_TOKENS).list()).find((token) => token.name === name);
    if (present && service(ACCESS_DECLARATION).ownsToken(present))
      throw new Error(
        `The token "${name}" is declared in config/access. Take it out there: the next start revokes it.`,
      );
    if (await service(API_TOKENS).revoke(name)) return print(`The token "${name}" was revoked.`);
    const known = (await service(API_TOKENS).list()).map((token) => token.name);
    throw new Error(
      `There is no API token "${name}". ${known.length > 0 ? `There are ${known.join(', ')}.` : 'There are none.'}${didYouMean(name, known)}`,
    );
  });
