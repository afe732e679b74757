import { type AppInfo, hasSecret, type Logger, secretOf } from '../../../core';
import type { Database } from '../../sql';
import { statement } from '../access/statements';
import { type KeyHash, keyHash } from './key-hash';

const secretName = 'api-token-salt';
const table = 'heddle_meta';
const key = 'api_token_salt';

/** What keys are hashed with, as the database was told. */
interface Mark {
  /** The hash of nothing: who reads it can't tell the salt. */
  readonly of: string;
  /** Tokens that were made before this moment have another salt. */
  readonly since: string;
}

interface Parts {
  readonly app: AppInfo;
  readonly database: () => Database;
  readonly log: Logger;
  /** That of the configuration or the environment. */
  readonly configured: () => string | undefined;
}

const beginning = '1970-01-01T00:00:00.000Z';

const advice =
  'keys of these API tokens are not accepted: they were made with another salt. Set apiToken.salt in config/admin, or API_TOKEN_SALT, to that of the project that they come from, or revoke them and make new ones';

/** The salt of API tokens, and what became of those that were made with another one. */
export function createTokenSalt({ app, database, log, configured }: Parts) {
  const hash = (): KeyHash => keyHash(configured() ?? secretOf(app, secretName));
  /** The mark as `compare` found or made it; none where there are no tokens. */
  let known: Mark | undefined;

  async function isAnyToken(): Promise<boolean> {
    const [row] = await database().rows({ sql: 'select 1 from strapi_api_tokens limit 1', isAskedOnce: true }, []);
    return row !== undefined;
  }

  async function marked(): Promise<Mark | undefined> {
    const { id } = database().dialect;
    const sql = `select ${id('value')} from ${table} where ${id('key')} = ?`;
    const [row] = await database().rows(statement(database(), sql), [key]);
    return row && (JSON.parse(String(row[0])) as Mark);
  }

  async function mark(value: Mark): Promise<void> {
    const row = { key, value: JSON.stringify(value) };
    await database().knex()(table).insert(row).onConflict('key').merge(['value']);
    known = value;
  }

  return {
    hash,

    /** Notices, while the tokens are as they were found, whether they were made with the salt that now counts. */
    async compare(): Promise<void> {
      if (!(await isAnyToken())) return;
      known = await marked();
      // A salt that is made just now is none that a token was made with.
      const isNew = configured() === undefined && !hasSecret(app, secretName);
      const of = hash()('');
      if (known?.of === of) return;
      await mark({ of, since: known || isNew ? new Date().toISOString() : beginning });
    },

    /** Names the tokens that can't be used. */
    async warn(): Promise<void> {
      const { since = beginning } = known ?? {};
      if (since === beginning) return;
      const db = database();
      const sql = `select name from strapi_api_tokens where (kind is null or kind = 'content-api') and created_at < ? order by id limit 20`;
      const rows = await db.rows(statement(db, sql), [db.dialect.store(since, 'datetime')]);
      if (rows.length > 0) log.warn({ tokens: rows.map(([name]) => String(name)) }, advice);
    },
  };
}
