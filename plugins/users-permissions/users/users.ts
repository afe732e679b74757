import {
  type ContentRegistry,
  type ContentType,
  type DocumentQuery,
  type DocumentStore,
  type Documents,
  documentKey,
  type HookBags,
  notFound,
  type Row,
  type ShownDocument,
} from '../../../core';
import type { Database } from '../../sql';
import { statement } from '../access/statements';
import { userUid } from '../types/definitions';
import { writeForNobody } from './write-for-nobody';

/** A user as this service knows them; what is secret in it reaches no answer. */
export interface UserRow {
  readonly id: number;
  readonly documentId: string;
  readonly username: string;
  readonly email: string;
  readonly provider: string | null;
  readonly password: string | null;
  readonly confirmed: boolean;
  readonly blocked: boolean;
  readonly resetPasswordToken: string | null;
  readonly confirmationToken: string | null;
}

export interface UserInput {
  readonly username: string;
  readonly email: string;
  /** Plain: it is hashed on its way to the database. */
  readonly password?: string;
  /** The number of the role's row. */
  readonly role?: number;
  readonly provider?: string;
  readonly confirmed?: boolean;
  readonly blocked?: boolean;
  readonly [attribute: string]: unknown;
}

/** Users, for plugins and the command line. */
export interface Users {
  find(id: number): Promise<UserRow | undefined>;
  ofDocument(documentId: string): Promise<UserRow | undefined>;
  /** All users with this address: one, unless the application allows several. */
  ofEmail(email: string): Promise<UserRow[]>;
  /** By name, whatever the case of its letters. */
  ofCaselessName(name: string): Promise<UserRow[]>;
  /** By name, whose case matters, or by address, whose case does not. */
  ofIdentifier(identifier: string): Promise<UserRow[]>;
  having(token: 'resetPasswordToken' | 'confirmationToken', value: string): Promise<UserRow | undefined>;
  /** Checked like any document; answers the user without secrets. */
  create(input: UserInput, query?: DocumentQuery): Promise<ShownDocument>;
  update(id: number, input: Partial<UserInput>, query?: DocumentQuery): Promise<ShownDocument>;
  remove(id: number): Promise<boolean>;
  /**
   * Writes values that no request may name, in one transaction, if the user is still as expected; answers whether they
   * were written.
   */
  settle(user: UserRow, expected: Partial<UserRow>, values: Partial<Omit<UserRow, 'id'>>): Promise<boolean>;
  /** Takes as long as writing a code for somebody, and changes no user. */
  settleNobody(code: string): Promise<void>;
}

const columns =
  'id, document_id, username, email, provider, password, confirmed, blocked, reset_password_token, confirmation_token';

const textOrNull = (value: unknown): string | null => (value === null || value === undefined ? null : String(value));

function userIn(row: readonly unknown[]): UserRow {
  const [id, documentId, username, email, provider, password, confirmed, blocked, reset, confirmation] = row;
  return {
    id: Number(id),
    documentId: String(documentId),
    username: String(username),
    email: String(email),
    provider: textOrNull(provider),
    password: textOrNull(password),
    confirmed: Boolean(confirmed),
    blocked: Boolean(blocked),
    resetPasswordToken: textOrNull(reset),
    confirmationToken: textOrNull(confirmation),
  };
}

interface Parts {
  readonly database: () => Database;
  readonly documents: () => Documents;
  readonly store: () => DocumentStore;
  readonly registry: () => ContentRegistry;
  readonly hooks: HookBags['document'];
}

export function createUsers({ database, documents, store, registry, hooks }: Parts): Users {
  const type = (): ContentType => registry().get(userUid);

  async function select(condition: string, values: readonly unknown[]): Promise<UserRow[]> {
    // No database but one keeps such texts, and some fail where they are asked for one: nobody has it.
    if (values.some((value) => String(value).includes('\0'))) return [];
    const db = database();
    const rows = await db.rows(statement(db, `select ${columns} from up_users where ${condition} order by id`), values);
    return rows.map(userIn);
  }

  const find = async (id: number): Promise<UserRow | undefined> =>
    Number.isSafeInteger(id) ? (await select('id = ?', [id]))[0] : undefined;

  async function required(id: number): Promise<UserRow> {
    const user = await find(id);
    if (!user) throw notFound();
    return user;
  }

  return {
    find,
    ofDocument: async (documentId) => (await select('document_id = ?', [documentId]))[0],
    async ofEmail(given) {
      const email = given.toLowerCase();
      // A collation may take more for equal than the same address.
      return (await select('email = ?', [email])).filter((user) => user.email === email);
    },
    async ofCaselessName(given) {
      const name = given.toLowerCase();
      return (await select('lower(username) = ?', [name])).filter((user) => user.username.toLowerCase() === name);
    },
    async ofIdentifier(identifier) {
      const email = identifier.toLowerCase();
      const found = await select('username = ? or email = ?', [identifier, email]);
      return found.filter((user) => user.username === identifier || user.email === email);
    },
    async having(token, value) {
      const column = token === 'resetPasswordToken' ? 'reset_password_token' : 'confirmation_token';
      return (await select(`${column} = ?`, [value])).find((user) => user[token] === value);
    },
    create: (input, query) =>
      documents()
        .of(userUid)
        .create({ provider: 'local', ...input }, query),
    async update(id, input, query) {
      return documents()
        .of(userUid)
        .update((await required(id)).documentId, input, query);
    },
    async remove(id) {
      const user = await find(id);
      if (user) await documents().of(userUid).delete(user.documentId);
      return user !== undefined;
    },
    async settle({ documentId }, expected, values) {
      const operation = { action: 'update', type: type(), documentId, query: {}, rights: 'system', data: {} };
      return store().transaction(async (transaction) => {
        await transaction.lock(documentKey(type(), documentId));
        const [row]: Row[] = await transaction.rows(type(), { documentId });
        const isAsExpected = row && Object.entries(expected).every(([name, value]) => row[name] === value);
        if (!isAsExpected) return false;
        await transaction.update(type(), { documentId }, { ...values, updatedAt: new Date().toISOString() } as Row);
        const written = { operation, documentId };
        await hooks.written.promise(written, transaction);
        transaction.aftermath.leave(() => hooks.committed.promise(written));
        return true;
      });
    },
    settleNobody: (code) => writeForNobody(database(), code),
  };
}
