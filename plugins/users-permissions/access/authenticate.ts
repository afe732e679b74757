import type { Context } from 'koa';
import { unauthorized } from '../errors';
import type { Jwt } from '../tokens/jwt';
import type { KeyHash } from '../tokens/key-hash';
import type { Sessions } from '../tokens/sessions';
import type { TokenUse } from '../tokens/token-use';
import type { Freshness, Moment } from './freshness';
import { createKept } from './kept';
import { createKeptGrants } from './kept-grants';
import type { Lookups } from './lookups';
import { type AccessPrincipal, type KnownUser, nothing } from './rights';

const unknownCredentials = 'Missing or invalid credentials';

const bearer = /^bearer\s+(\S+)$/i;

/** Whether a text may be a signed token at all; to find out whether it is one costs much more. */
const isSigned = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** How many users, tokens and keys are remembered at once. */
const mostKept = 10_000;

interface Parts {
  readonly lookups: Lookups;
  readonly freshness: Freshness;
  /** Made when the first signed token comes: it brings a library that other credentials do without. */
  readonly jwt: () => Jwt;
  readonly hashOf: KeyHash;
  readonly use: TokenUse;
  readonly sessions: () => Sessions;
  /** Whether users whose address nobody confirmed are turned away. */
  demandsConfirmation(): Promise<boolean>;
}

export interface Authentication {
  /** Who is asking. */
  authenticate(context: Pick<Context, 'req'>): Promise<AccessPrincipal>;
  /** Somebody without credentials. */
  everyone(): Promise<AccessPrincipal>;
}

/** Says who is asking. What it needs to know is kept for as long as the database can't tell otherwise. */
export function createAuthentication(parts: Parts): Authentication {
  const { lookups, freshness, jwt, hashOf, use, sessions, demandsConfirmation } = parts;
  const grantsAt = createKeptGrants(freshness, lookups);
  const userAt = createKept(freshness, mostKept, lookups.user);
  const tokenAt = createKept(freshness, mostKept, lookups.token);
  const goodUntil = createKept(freshness, mostKept, (session: string) => sessions().goodUntil(session));
  /** Hashes of keys that were found to belong to a token. */
  const hashes = new Map<string, string>();

  async function ofUser(token: string, now: Moment): Promise<AccessPrincipal | undefined> {
    const claims = isSigned.test(token) ? jwt().verify(token) : undefined;
    if (!claims) return undefined;
    if (claims.session !== undefined && !((await goodUntil(claims.session, now)) > Date.now()))
      throw unauthorized(unknownCredentials);
    const user: KnownUser | undefined = await userAt(claims.id, now);
    const isSame = user && (claims.documentId === undefined || claims.documentId === user.documentId);
    if (!isSame || user.blocked) throw unauthorized('Invalid credentials');
    if (!user.confirmed && (await demandsConfirmation())) throw unauthorized('Invalid credentials');
    // Without a role nobody is known, not even as one of the public.
    if (user.roleId === undefined) throw unauthorized(unknownCredentials);
    const { ofRole } = await grantsAt(now);
    const granted = ofRole.get(user.roleId) ?? nothing;
    return { kind: 'user', rights: granted.key, granted, user, session: claims.session };
  }

  async function ofToken(key: string, now: Moment): Promise<AccessPrincipal | undefined> {
    const known = hashes.get(key);
    const hash = known ?? hashOf(key);
    const found = await tokenAt(hash, now);
    if (!found) return undefined;
    if (known === undefined) {
      if (hashes.size >= mostKept) hashes.delete(hashes.keys().next().value!);
      hashes.set(key, hash);
    }
    const { granted, expiresAt, id, name } = found;
    if (expiresAt !== undefined && expiresAt < Date.now()) throw unauthorized('Token expired');
    use.note(id);
    return { kind: 'token', rights: granted.key, granted, token: { id, name } };
  }

  const everyone = async (): Promise<AccessPrincipal> => (await grantsAt(freshness.now())).everyone;

  return {
    everyone,
    async authenticate({ req }) {
      const key = bearer.exec(req.headers.authorization?.trim() ?? '')?.[1];
      if (key === undefined) return everyone();
      const now = freshness.now();
      const principal = (await ofUser(key, now)) ?? (await ofToken(key, now));
      if (!principal) throw unauthorized(unknownCredentials);
      return principal;
    },
  };
}
