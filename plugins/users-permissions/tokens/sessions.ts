import { randomBytes } from 'node:crypto';
import { newDocumentId } from '../../../core';
import type { Database } from '../../sql';
import { afterwards, moment, statement } from '../access/statements';
import type { UsersPermissionsOptions } from '../options';
import type { Jwt } from './jwt';

/** What a user gets who proved who they are. */
export interface Credentials {
  readonly jwt: string;
  readonly refreshToken?: string;
}

export interface ListedSession {
  readonly id: string;
  readonly deviceId: string | null;
  readonly loginAt: string | undefined;
  readonly lastActiveAt: string | null;
}

type Connection = Parameters<Parameters<Database['transaction']>[0]>[0];
type Owner = { readonly id: number; readonly documentId: string };

const origin = 'users-permissions';
const active = 'active';
const mostCleared = 100;

const columns =
  'document_id, user_id, session_id, device_id, origin, expires_at, absolute_expires_at, status, type, metadata, created_at, updated_at, published_at';
const insertSql = `insert into strapi_sessions (${columns}) values (${columns.replace(/\w+/g, '?')})`;

const loginIn = (metadata: unknown): string | undefined =>
  (JSON.parse(String(metadata ?? '{}')) as { loginAt?: string }).loginAt;

interface Opening {
  readonly user: Owner;
  readonly device: string | undefined;
  /** When the user logged in, and how long renewals may go on; now, for a new one. */
  readonly loginAt: Date;
}

/**
 * Sessions of users, in the table that the administration's are in: a refresh token is good for one renewal, and with its
 * session end the tokens that were made in it. Without `jwtManagement: 'refresh'` none are kept.
 */
export function createSessions(
  database: () => Database,
  { jwt, options, changed }: { jwt: Jwt; options: UsersPermissionsOptions; changed(): void },
) {
  const { maxRefreshTokenLifespan, idleRefreshTokenLifespan } = options.sessions;
  const time = (date: Date): unknown => database().dialect.store(date.toISOString(), 'datetime');
  type Change = readonly [sql: string, values: readonly unknown[]];

  /** The hash of a user's password, which nobody changes until the transaction ends; undefined where there is no user. */
  async function heldHash(connection: Connection, id: number): Promise<unknown> {
    // SQLite has one writer anyway.
    const held = database().dialect.name === 'sqlite' ? '' : ' for update';
    const [row] = await connection.rows(statement(database(), `select password from up_users where id = ?${held}`), [
      id,
    ]);
    return row?.[0];
  }

  /** Runs statements in one transaction, until one of them changes nothing; answers how much the first one changed. */
  const run = async (statements: readonly Change[], user?: number): Promise<number> => {
    const first = await database().transaction(async (connection) => {
      // What ends a user's sessions would not see one that is added meanwhile: they wait for each other.
      if (user !== undefined) await heldHash(connection, user);
      let before: number | undefined;
      for (const [sql, values] of statements) {
        const { changes } = await connection.run(statement(database(), sql), values);
        before ??= changes;
        if (changes === 0) break;
      }
      return before!;
    });
    changed();
    return first;
  };

  /** A new session: its id, how to write it down, and what is given to its user. */
  function opening({ user, device, loginAt }: Opening): { session: string; insert: Change; credentials: Credentials } {
    const now = new Date();
    const session = randomBytes(16).toString('hex');
    const latest = loginAt.getTime() + maxRefreshTokenLifespan * 1000;
    const expires = new Date(Math.min(now.getTime() + idleRefreshTokenLifespan * 1000, latest));
    const metadata = JSON.stringify({ loginAt: loginAt.toISOString() });
    const values = [
      newDocumentId(),
      String(user.id),
      session,
      device ?? null,
      origin,
      time(expires),
      time(new Date(latest)),
      active,
      'refresh',
      metadata,
      ...[now, now, now].map(time),
    ];
    return {
      session,
      insert: [insertSql, values],
      credentials: {
        jwt: jwt.issue(user, session),
        refreshToken: jwt.issueRefresh(user, session, Math.floor(expires.getTime() / 1000)),
      },
    };
  }

  async function find(session: string) {
    const db = database();
    const { raw, load } = db.dialect;
    const sql = `select user_id, device_id, status, ${raw('metadata', 'json')}, ${raw('absolute_expires_at', 'datetime')} from strapi_sessions where session_id = ? and origin = ?`;
    const [row] = await db.rows(statement(db, sql), [session, origin]);
    if (!row) return undefined;
    const [userId, device, status, metadata, until] = row;
    return {
      userId: Number(userId),
      device: device === null ? undefined : String(device),
      status: String(status),
      loginAt: new Date(loginIn(metadata) ?? Date.now()),
      until: new Date(String(load(until, 'datetime'))),
    };
  }

  /** Clears some of what is over, whoever's it was: each login makes one session and takes away more. */
  function clearExpired(): Promise<number> {
    const sql = `delete from strapi_sessions where id in (select id from (select id from strapi_sessions
      where origin = ? and absolute_expires_at < ? limit ${mostCleared}) expired)`;
    return run([[sql, [origin, time(new Date())]]]);
  }

  /** Ends all that came out of one login: its renewals share the moment when the last of them ends. */
  function endLogin(userId: number, until: Date): Promise<number> {
    const sql = 'delete from strapi_sessions where user_id = ? and origin = ? and absolute_expires_at = ?';
    return run([[sql, [String(userId), origin, time(until)]]], userId);
  }

  return {
    /** Until when what was made in a session is good, in milliseconds; 0 for one that is over or was never there. */
    goodUntil: (session: string): number | Promise<number> => {
      const db = database();
      const sql = `select ${db.dialect.raw('absolute_expires_at', 'datetime')} from strapi_sessions where session_id = ? and origin = ? and status in ('active', 'rotated')`;
      return afterwards(db.rows(statement(db, sql), [session, origin]), ([row]) => (row && moment(db, row[0])) ?? 0);
    },

    /** Credentials for somebody who just proved who they are. */
    async begin(user: Owner, device?: string): Promise<Credentials> {
      if (!jwt.keepsSessions) return { jwt: jwt.issue(user) };
      await clearExpired();
      const { insert, credentials } = opening({ user, device, loginAt: new Date() });
      await run([insert]);
      return credentials;
    },

    /**
     * Credentials for somebody whose password has this hash; undefined where it has another by now. Who changes it ends the
     * sessions that are there: one that comes later must know of the change.
     */
    async beginBy(hash: string | null, user: Owner, device?: string): Promise<Credentials | undefined> {
      if (!jwt.keepsSessions) return { jwt: jwt.issue(user) };
      await clearExpired();
      const { insert, credentials } = opening({ user, device, loginAt: new Date() });
      const isBegun = await database().transaction(async (connection) => {
        if ((await heldHash(connection, user.id)) !== hash) return false;
        await connection.run(statement(database(), insert[0]), insert[1]);
        return true;
      });
      changed();
      return isBegun ? credentials : undefined;
    },

    /** New credentials for a refresh token, which is good for this once; undefined where it is not. */
    async renew(token: string, userOf: (id: number) => Promise<Owner | undefined>): Promise<Credentials | undefined> {
      const given = jwt.refreshed(token);
      const found = given && (await find(given.session));
      if (!found || found.userId !== given.id || found.until.getTime() < Date.now()) return undefined;
      const user = await userOf(found.userId);
      const isOwner = user !== undefined && (given.documentId ?? user.documentId) === user.documentId;
      const next = isOwner && opening({ user, device: found.device, loginAt: found.loginAt });
      const rotated = (session: string): Change => [
        "update strapi_sessions set status = 'rotated', child_id = ?, updated_at = ? where session_id = ? and status = ?",
        [session, time(new Date()), given.session, active],
      ];
      if (next && (await run([rotated(next.session), next.insert], found.userId)) > 0) return next.credentials;
      // A token that was renewed before is shown again: whoever has it, nobody shall go on with it.
      await endLogin(found.userId, found.until);
      return undefined;
    },

    async list(userId: number): Promise<ListedSession[]> {
      const db = database();
      const raw = (column: string, kind: 'json' | 'datetime') => db.dialect.raw(column, kind);
      const sql = `select session_id, device_id, ${raw('metadata', 'json')}, ${raw('created_at', 'datetime')} from strapi_sessions where user_id = ? and origin = ? and status = 'active' order by id desc`;
      const rows = await db.rows(statement(db, sql), [String(userId), origin]);
      return rows.map(([id, device, metadata, created]) => ({
        id: String(id),
        deviceId: device === null ? null : String(device),
        loginAt: loginIn(metadata),
        lastActiveAt: db.dialect.load(created, 'datetime') as string | null,
      }));
    },

    /** Ends what came out of one login of a user, or out of all; answers whether there was any. */
    async end(userId: number, session?: string): Promise<boolean> {
      if (!jwt.keepsSessions) return false;
      const all: Change = ['delete from strapi_sessions where user_id = ? and origin = ?', [String(userId), origin]];
      if (session === undefined) return (await run([all], userId)) > 0;
      const found = await find(session);
      return found?.userId === userId && (await endLogin(userId, found.until)) > 0;
    },
  };
}

export type Sessions = ReturnType<typeof createSessions>;
