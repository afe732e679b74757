import { attributeOf, HeddleError, type Validation } from '../../../core';

export const emailTaken = (): HeddleError => new HeddleError('ApplicationError', 'Email already taken', {});
export const usernameTaken = (): HeddleError => new HeddleError('ApplicationError', 'Username already taken', {});

/** Addresses are kept in lower case, whoever writes them. */
export const withLowerEmail = (data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  typeof data['email'] === 'string' ? { ...data, email: data['email'].toLowerCase() } : data;

/** Refuses an address that another user has. Writers of one address wait for each other, so that one of them wins. */
export async function refuseTakenEmail({ operation, values, transaction }: Validation): Promise<void> {
  const { type, documentId } = operation;
  const email = values.get('email');
  if (typeof email !== 'string') return;
  await transaction.lock(`${type.uid} email ${email}`);
  const others = await transaction.holding(type, attributeOf(type, 'email'), [email], {});
  if (others.some((row) => row['documentId'] !== documentId)) throw emailTaken();
}
