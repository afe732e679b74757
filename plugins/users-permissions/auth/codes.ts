import { randomBytes } from 'node:crypto';

/** How long a code to choose a new password with is good for: a day. */
const lifespan = 86_400_000;

/** A code that tells when it was made; only who was sent it can know the rest. */
export const newCode = (): string => `${Date.now().toString(36)}-${randomBytes(48).toString('hex')}`;

/** Codes that others made tell nothing of their age, and have no end. */
export function isFresh(code: string): boolean {
  const [, made] = /^([0-9a-z]{8,9})-[0-9a-f]{96}$/.exec(code) ?? [];
  return made === undefined || Number.parseInt(made, 36) + lifespan > Date.now();
}
