import type { Validation } from '../../../core';
import { userUid } from '../types/definitions';

/**
 * Withdraws the codes that were sent to a user when their address, their password or their being blocked changes: a code
 * speaks for the account as it was.
 */
export async function withdrawCodes({ operation, values, transaction }: Validation): Promise<void> {
  const { type, documentId, action } = operation;
  if (type.uid !== userUid || action !== 'update' || documentId === undefined) return;
  const [row] = await transaction.rows(type, { documentId });
  if (!row || (row['resetPasswordToken'] === null && row['confirmationToken'] === null)) return;
  const isOther = (name: string): boolean => values.has(name) && values.get(name) !== row[name];
  if (!values.has('password') && !isOther('email') && !isOther('blocked')) return;
  await transaction.update(type, { documentId }, { resetPasswordToken: null, confirmationToken: null });
}
