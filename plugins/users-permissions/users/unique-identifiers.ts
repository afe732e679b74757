import { attributeOf, type HeddleError, type Row, type Validation } from '../../../core';
import { unfit } from '../errors';
import type { Users } from './users';

export const emailTaken = (): HeddleError => unfit('Email already taken');
export const usernameTaken = (): HeddleError => unfit('Username already taken');

/** Addresses are kept in lower case, whoever writes them. */
export const withLowerEmail = (data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  typeof data['email'] === 'string' ? { ...data, email: data['email'].toLowerCase() } : data;

const lockOf = (address: string): string => `email ${address}`;

type Own = { readonly documentId?: string | undefined };

const others = <T extends Own>(found: readonly T[], { documentId }: Own): T[] =>
  found.filter((each) => each.documentId !== documentId);

/** Refuses an address that is another user's name, however that is spelt: people log in with either. */
export async function refuseNamedEmail(
  data: Readonly<Record<string, unknown>>,
  own: Own,
  { ofCaselessName }: Pick<Users, 'ofCaselessName'>,
): Promise<void> {
  const { email } = data;
  if (typeof email === 'string' && others(await ofCaselessName(email), own).length > 0) throw emailTaken();
}

/**
 * Refuses a name that is another user's address, however it is spelt, and an address that somebody took for a name in the
 * same letters just now. Writers of one of both wait for each other, so that one of them wins.
 */
export async function refuseSharedIdentifiers({ operation, values, transaction }: Validation): Promise<void> {
  const { type } = operation;
  const [name, email] = ['username', 'email'].map((key) => values.get(key));
  const named = typeof name === 'string' && name.includes('@') ? name.toLowerCase() : undefined;
  const keys = [named, email].filter((key) => typeof key === 'string').map(lockOf);
  if (keys.length === 0) return;
  await transaction.lock(...keys);
  const held = async (attribute: string, value: unknown): Promise<boolean> =>
    typeof value === 'string' &&
    others<Row>(await transaction.holding(type, attributeOf(type, attribute), [value], {}), operation).length > 0;
  if (await held('email', named)) throw usernameTaken();
  if (await held('username', email)) throw emailTaken();
}

/** Refuses an address that another user has. Writers of one address wait for each other, so that one of them wins. */
export async function refuseTakenEmail({ operation, values, transaction }: Validation): Promise<void> {
  const { type } = operation;
  const email = values.get('email');
  if (typeof email !== 'string') return;
  await transaction.lock(lockOf(email));
  const same = await transaction.holding(type, attributeOf(type, 'email'), [email], {});
  if (others<Row>(same, operation).length > 0) throw emailTaken();
}
