import type { ContentType, DocumentQuery, Documents, Operation, Principal, StoreAnswer } from '../../../core';
import { recordOf } from '../auth/body';
import { missing, unfit } from '../errors';
import type { RoleRow } from '../roles/roles';
import { emailTaken, usernameTaken } from '../users/unique-identifiers';
import type { UserRow, Users } from '../users/users';
import { asApplicationError, checkChangedUser, checkNewUser, knownInput } from './user-input';

export interface UserWriteParts {
  readonly type: () => ContentType;
  readonly documents: () => Documents;
  readonly users: () => Users;
  /** The role of new users. */
  defaultRole(): Promise<RoleRow | undefined>;
  mayDo(principal: Principal, action: string): Promise<boolean>;
}

/** What is done with users by those who may, on whatever surface: each takes a body as it was sent. */
export function createUserWrites({ type, documents, users, defaultRole, mayDo }: UserWriteParts) {
  function operation(principal: Principal, action: string, query: DocumentQuery, user?: UserRow): Operation {
    const may = (entailed: string): Promise<boolean> => mayDo(principal, entailed);
    return { action, type: type(), documentId: user?.documentId, query, rights: principal.rights, may };
  }

  async function refuseTaken(id: number, { username, email }: Readonly<Record<string, unknown>>): Promise<void> {
    const isOther = (user: { id: number }): boolean => user.id !== id;
    if (typeof username === 'string') {
      const same = await users().ofIdentifier(username);
      if (same.some((user) => isOther(user) && user.username === username)) throw usernameTaken();
    }
    if (typeof email === 'string' && (await users().ofEmail(email)).some(isOther)) throw emailTaken();
  }

  /** As on the peer, what a form leaves empty asks for the role that who registers gets. */
  async function roleByDefault(): Promise<number> {
    const role = await defaultRole();
    if (!role) throw unfit('Impossible to find the default role');
    return role.id;
  }

  return {
    async create(principal: Principal, body: unknown, query: DocumentQuery): Promise<StoreAnswer> {
      checkNewUser(body);
      const { email, role } = recordOf(body);
      if ((await users().ofEmail(String(email))).length > 0) throw emailTaken();
      const data = { ...knownInput(type(), body), role: role || (await roleByDefault()), provider: 'local' };
      return documents()
        .create({ ...operation(principal, 'create', query), data })
        .catch((error) => {
          throw asApplicationError(error);
        });
    },

    async update(principal: Principal, id: number, body: unknown, query: DocumentQuery): Promise<StoreAnswer> {
      const user = await users().find(id);
      if (!user) throw missing('User');
      checkChangedUser(body);
      await refuseTaken(user.id, recordOf(body));
      return documents().update({ ...operation(principal, 'update', query, user), data: knownInput(type(), body) });
    },

    /** Answers the user as they were; undefined where there was none. */
    async remove(principal: Principal, id: number): Promise<StoreAnswer | undefined> {
      const user = await users().find(id);
      if (!user) return undefined;
      const shown = await documents().read(operation(principal, 'findOne', {}, user));
      await documents().remove(operation(principal, 'delete', {}, user));
      return shown;
    },
  };
}

export type UserWrites = ReturnType<typeof createUserWrites>;
