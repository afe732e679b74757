import type { WriteOperation, Written } from '../../../core';
import { userUid } from '../types/definitions';
import type { Users } from '../users/users';
import type { Sessions } from './sessions';

interface Parts {
  readonly users: () => Users;
  readonly sessions: () => Sessions;
}

/** Ends the sessions of a user who was blocked or deleted, or whose password somebody changed. */
export const endingSessions =
  ({ users, sessions }: Parts) =>
  async ({ operation, documentId, removed = [] }: Written): Promise<void> => {
    if (operation.type.uid !== userUid) return;
    for (const id of removed) await sessions().end(id);
    if (operation.action !== 'update') return;
    const { data = {} } = operation as Partial<WriteOperation>;
    const isRenewed = data['password'] !== undefined;
    if (data['blocked'] === undefined && !isRenewed) return;
    const user = await users().ofDocument(documentId);
    // The row tells whether they are blocked, however the input spelt it.
    if (user && (user.blocked || isRenewed)) await sessions().end(user.id);
  };
