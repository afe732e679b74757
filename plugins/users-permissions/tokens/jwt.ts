import { createSecretKey } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { UsersPermissionsOptions } from '../options';

/** What a token says of whom it was given to. */
export interface Claims {
  readonly id: number;
  /** Ties the token to one user even where a number is given twice; absent in tokens that others made. */
  readonly documentId?: string | undefined;
  readonly session?: string | undefined;
  /** In seconds. */
  readonly expires: number;
}

/** Clocks of several machines differ a little. */
const leeway = 5;
const keptTokens = 5_000;

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

/** Users' tokens: HS256 and nothing else. */
export function createJwt(secret: string, { jwtManagement, jwt: { expiresIn }, sessions }: UsersPermissionsOptions) {
  const key = createSecretKey(Buffer.from(secret));
  const algorithm = 'HS256';
  const keepsSessions = jwtManagement === 'refresh';
  /** Tokens that were verified: they stay good until they expire. */
  const verified = new Map<string, Claims>();

  function payloadOf(token: string): jwt.JwtPayload | undefined {
    try {
      const payload = jwt.verify(token, key, { algorithms: [algorithm], clockTolerance: leeway });
      return typeof payload === 'object' ? payload : undefined;
    } catch {
      // Whatever is wrong with it: it is no token of ours, and nobody is told why.
      return undefined;
    }
  }

  function claimsIn(payload: jwt.JwtPayload): Claims | undefined {
    const { id, userId, sessionId, type, documentId, exp } = payload as Record<string, unknown>;
    const owner = keepsSessions ? Number(userId) : id;
    if (!isId(owner) || typeof exp !== 'number') return undefined;
    if (keepsSessions && (type !== 'access' || typeof sessionId !== 'string')) return undefined;
    return {
      id: owner,
      documentId: typeof documentId === 'string' ? documentId : undefined,
      session: keepsSessions ? String(sessionId) : undefined,
      expires: exp,
    };
  }

  return {
    keepsSessions,

    issue: ({ id, documentId }: { id: number; documentId: string }, session?: string): string =>
      session === undefined
        ? jwt.sign({ id, documentId }, key, { algorithm, expiresIn: expiresIn as number })
        : jwt.sign({ userId: String(id), sessionId: session, type: 'access', documentId }, key, {
            algorithm,
            expiresIn: sessions.accessTokenLifespan,
          }),

    issueRefresh: ({ id, documentId }: { id: number; documentId: string }, session: string, expires: number): string =>
      jwt.sign({ userId: String(id), sessionId: session, type: 'refresh', documentId, exp: expires }, key, {
        algorithm,
        noTimestamp: true,
      }),

    refreshed(token: string): (Pick<Claims, 'id' | 'documentId'> & { session: string }) | undefined {
      const { userId, sessionId, type, documentId } = (payloadOf(token) ?? {}) as Record<string, unknown>;
      if (type !== 'refresh' || typeof sessionId !== 'string' || !isId(Number(userId))) return undefined;
      return {
        id: Number(userId),
        documentId: typeof documentId === 'string' ? documentId : undefined,
        session: sessionId,
      };
    },

    verify(token: string): Claims | undefined {
      const known = verified.get(token);
      if (known) {
        if (known.expires + leeway > Date.now() / 1000) return known;
        verified.delete(token);
        return undefined;
      }
      const payload = payloadOf(token);
      const claims = payload && claimsIn(payload);
      if (!claims) return undefined;
      if (verified.size >= keptTokens) verified.delete(verified.keys().next().value!);
      verified.set(token, claims);
      return claims;
    },
  };
}

export type Jwt = ReturnType<typeof createJwt>;
