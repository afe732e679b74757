import { createHash } from 'node:crypto';
import type { Principal } from '../../../core';

/** What somebody may do. Two that may do the same have the same key, and it changes when what they may do changes. */
export interface Rights {
  readonly key: string;
  allows(action: string): boolean;
}

export const fullAccess: Rights = { key: 'full-access', allows: () => true };

const reading = /\.(find|findOne)$/;
export const readOnly: Rights = { key: 'read-only', allows: (action) => reading.test(action) };

export function rightsTo(actions: Iterable<string>): Rights {
  const granted = new Set(actions);
  const text = JSON.stringify([...granted].sort());
  return {
    key: `granted ${createHash('sha256').update(text).digest('base64url')}`,
    allows: (action) => granted.has(action),
  };
}

export const nothing: Rights = rightsTo([]);

/** The user behind a request. */
export interface KnownUser {
  readonly id: number;
  readonly documentId: string;
  readonly username: string;
  readonly email: string;
  readonly confirmed: boolean;
  readonly blocked: boolean;
  readonly roleId: number | undefined;
}

/** The API token behind a request. */
export interface KnownToken {
  readonly id: number;
  readonly name: string;
}

/** Who is asking, as this plugin tells: nobody in particular, a user, or the holder of an API token. */
export interface AccessPrincipal extends Principal {
  readonly kind: 'public' | 'user' | 'token';
  readonly granted: Rights;
  readonly user?: KnownUser;
  readonly token?: KnownToken;
  /** The session that a user's token belongs to, where sessions are kept. */
  readonly session?: string | undefined;
}

export const publicPrincipal = (granted: Rights): AccessPrincipal => ({ kind: 'public', rights: granted.key, granted });

export const isAccessPrincipal = (principal: Principal): principal is AccessPrincipal => 'granted' in principal;
