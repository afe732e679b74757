import { createHash, randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { newDocumentId } from '../../../core';
import type { Database } from '../../sql';
import type { Identity } from './provider-kind';

/** Codes that the browser takes from the provider's answer to the website, and the website back to us, once. */
export interface Handovers {
  give(provider: string, identity: Identity): Promise<string>;
  take(provider: string, code: string): Promise<Identity | undefined>;
}

const table = 'strapi_sessions';
const origin = 'heddle-connect';
const lifetime = 60_000;

const hashed = (code: string): string => createHash('sha256').update(code).digest('hex');

/** Kept among the sessions, so that any process of the application can take one back; only their hashes are. */
export function createHandovers(database: () => Database): Handovers {
  const rows = () => database().knex()(table);
  const time = (moment: number) => database().dialect.store(new Date(moment).toISOString(), 'datetime') as Knex.Value;

  return {
    async give(provider, identity) {
      const now = Date.now();
      await rows().where({ origin }).where('expires_at', '<', time(now)).delete();
      const code = randomBytes(32).toString('base64url');
      const [made, expires] = [time(now), time(now + lifetime)];
      await rows().insert({
        document_id: newDocumentId(),
        user_id: '',
        session_id: hashed(code),
        origin,
        type: provider,
        status: 'pending',
        metadata: JSON.stringify(identity),
        expires_at: expires,
        absolute_expires_at: expires,
        created_at: made,
        updated_at: made,
        published_at: made,
      });
      return code;
    },

    async take(provider, code) {
      const own = { origin, type: provider, session_id: hashed(code) };
      const [row] = (await rows().where(own).where('expires_at', '>', time(Date.now())).select('metadata')) as {
        metadata: unknown;
      }[];
      // Of two who show it at once, one deletes it.
      if (!row || (await rows().where(own).delete()) !== 1) return undefined;
      const { metadata } = row;
      return (typeof metadata === 'string' ? JSON.parse(metadata) : metadata) as Identity;
    },
  };
}
