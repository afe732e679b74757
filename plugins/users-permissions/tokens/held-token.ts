import type { Database } from '../../sql';
import { statement } from '../access/statements';
import type { TokenInput } from './api-tokens';
import type { KeyHash } from './key-hash';

const byName = `select id, access_key, type, lifespan from strapi_api_tokens
  where name = ? and (kind is null or kind = 'content-api') order by id limit 1`;
const actionsOf = `select p.action from strapi_api_token_permissions p
  join strapi_api_token_permissions_token_lnk l on l.api_token_permission_id = p.id where l.api_token_id = ?`;

/** Says whether a token is there as described, with this key: asked at starts, which need no models for it. */
export function createHeldToken(database: () => Database, hashOf: KeyHash) {
  const rows = async (sql: string, value: unknown): Promise<unknown[][]> =>
    database().rows(statement(database(), sql), [value]);

  return async ({
    name,
    key,
    type,
    actions = [],
    lifespan = null,
  }: TokenInput & { readonly key: string }): Promise<boolean> => {
    const [present] = await rows(byName, name);
    if (!present) return false;
    const [id, hash, itsType, itsLifespan] = present;
    if (hash !== hashOf(key) || itsType !== type) return false;
    if ((itsLifespan === null ? null : Number(itsLifespan)) !== lifespan) return false;
    const granted = (await rows(actionsOf, id)).map(([action]) => String(action)).sort();
    const wanted = type === 'custom' ? [...new Set(actions)].sort() : [];
    return granted.join() === wanted.join();
  };
}
