import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { ApiToken, TokenPermission } from '../repository/models';
import type { Repository } from '../repository/repository';
import type { KeyHash } from './key-hash';
import type { TokenType } from './token-types';

export interface TokenInput {
  readonly name: string;
  readonly description?: string;
  readonly type: TokenType;
  /** What a custom token may do. */
  readonly actions?: readonly string[];
  /** In milliseconds; without end unless given. */
  readonly lifespan?: number | null;
  /** Made at random unless given. */
  readonly key?: string;
}

export interface TokenRow {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly type: TokenType;
  readonly actions: readonly string[];
  readonly lastUsedAt: string | null;
  readonly expiresAt: string | null;
  readonly createdAt: string | null;
}

/** Keys for programs. Only their hashes are kept: a key is told once, when it is made. */
export interface ApiTokens {
  list(): Promise<TokenRow[]>;
  /** Refused where there is one of this name. */
  create(input: TokenInput): Promise<{ readonly token: TokenRow; readonly key: string }>;
  /** Makes the token be as described, with this key; answers whether anything had to be changed. */
  ensure(input: TokenInput & { readonly key: string }): Promise<boolean>;
  /** Whether the token is there as described, with this key. */
  holds(input: TokenInput & { readonly key: string }): Promise<boolean>;
  /** By name; answers whether there was one. */
  revoke(name: string): Promise<boolean>;
}

const contentApi = 'content-api';
const links = 'strapi_api_token_permissions_token_lnk';

interface Parts {
  readonly repository: Repository;
  readonly hashOf: KeyHash;
  changed(): void;
}

/** What is behind models. */
interface StoredTokens extends Omit<ApiTokens, 'ensure' | 'holds'> {
  /** Makes the token be as described, whatever there was of this name. */
  replace(input: TokenInput & { readonly key: string }): Promise<void>;
}

export function createStoredTokens({ repository, hashOf, changed }: Parts): StoredTokens {
  const { knex, within, iso, time } = repository;

  const isOurs = (query: Knex.QueryBuilder): unknown => query.whereNull('kind').orWhere({ kind: contentApi });
  const all = (on: Knex) => ApiToken.query(on).where(isOurs as never);

  const shown = (row: ApiToken): TokenRow => ({
    id: row.id,
    name: row.name,
    description: row.description,
    type: row.type as TokenType,
    actions: (row.permissions ?? []).map(({ action }) => action).sort(),
    lastUsedAt: iso(row.last_used_at),
    expiresAt: iso(row.expires_at),
    createdAt: iso(row.created_at),
  });

  const named = (name: string, on: Knex): Promise<ApiToken | undefined> =>
    all(on).where({ name }).withGraphFetched('permissions').orderBy('id').first().execute();

  async function insert(input: TokenInput, key: string, on: Knex.Transaction): Promise<TokenRow> {
    const { name, description = '', type, actions = [], lifespan = null } = input;
    const row = await ApiToken.query(on)
      .context(repository.context())
      .insertAndFetch({
        name,
        description,
        type,
        kind: contentApi,
        access_key: hashOf(key),
        lifespan,
        expires_at: lifespan === null ? null : time(new Date(Date.now() + lifespan)),
      });
    const wanted = type === 'custom' ? [...new Set(actions)] : [];
    for (const [index, action] of wanted.entries()) {
      const permission = await TokenPermission.query(on).context(repository.context()).insert({ action });
      await on(links).insert({
        api_token_permission_id: permission.id,
        api_token_id: row.id,
        api_token_permission_ord: index + 1,
      });
    }
    return shown({ ...row, permissions: wanted.map((action) => ({ action })) } as ApiToken);
  }

  async function remove(row: ApiToken, on: Knex.Transaction): Promise<void> {
    const ids = (row.permissions ?? []).map(({ id }) => id);
    await on(links).where({ api_token_id: row.id }).delete();
    await TokenPermission.query(on).delete().whereIn('id', ids);
    await ApiToken.query(on).deleteById(row.id);
  }

  async function changing<T>(work: (on: Knex.Transaction) => Promise<T>): Promise<T> {
    const result = await within(work);
    changed();
    return result;
  }

  return {
    list: async () => (await all(knex()).withGraphFetched('permissions').orderBy('id')).map(shown),

    create: (input) =>
      changing(async (on) => {
        if (await named(input.name, on))
          throw new Error(`There is an API token "${input.name}" already. Choose another name, or revoke it first.`);
        const key = input.key ?? randomBytes(128).toString('hex');
        return { token: await insert(input, key, on), key };
      }),

    replace: (input) =>
      changing(async (on) => {
        const old = await named(input.name, on);
        if (old) await remove(old, on);
        await insert(input, input.key, on);
      }),

    revoke: (name) =>
      changing(async (on) => {
        const row = await named(name, on);
        if (row) await remove(row, on);
        return row !== undefined;
      }),
  };
}
