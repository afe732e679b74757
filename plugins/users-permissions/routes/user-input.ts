import { type ContentType, HeddleError, type Issue, issuesError, wrongType } from '../../../core';
import { isEmail, isNotEmpty, isRecord, isShortEnough, recordOf, refuseList, textIssues } from '../auth/body';

type Input = Readonly<Record<string, unknown>>;

/** What the service itself keeps in a user, whoever writes. */
const kept = new Set(['id', 'documentId', 'resetPasswordToken', 'confirmationToken']);

/** The part of a body that a user can be made of; as on the peer, the rest is left out. */
export const knownInput = (type: ContentType, body: unknown): Input =>
  Object.fromEntries(
    Object.entries(recordOf(body)).filter(([name]) => {
      const attribute = type.attributes.get(name) ?? type.nested.get(name);
      return attribute !== undefined && !attribute.system && !kept.has(name);
    }),
  );

const issue = (path: string[], message: string, rest: object = {}): Issue => ({
  path,
  message,
  name: 'ValidationError',
  ...rest,
});

const unlike = (path: string[], label: string, type: string, value: unknown): Issue => {
  const { message, ...rest } = wrongType(label, type, value);
  return issue(path, message, rest);
};

const isName = (role: unknown): boolean =>
  typeof role === 'string' || (typeof role === 'number' && Number.isInteger(role) && role >= 0);

/** A role is named by a number or an id, or given by an object. */
function roleIssues(role: unknown): Issue[] {
  if (isName(role) || isRecord(role)) return [];
  return [unlike(['role'], 'role', typeof role === 'object' ? 'object' : 'strapiID', role)];
}

function newRoleIssues(role: unknown): Issue[] {
  if (role === undefined) return [issue(['role'], 'role is a required field')];
  if (!isRecord(role)) return roleIssues(role);
  const path = ['role', 'connect'];
  const { connect } = role;
  if (connect === undefined) return [issue(path, 'role.connect is a required field')];
  if (!Array.isArray(connect)) return [unlike(path, 'role.connect', 'array', connect)];
  if (connect.length === 0) return [issue(path, 'Users must have a role', { value: connect })];
  return connect.flatMap((item, index) =>
    isRecord(item) ? [] : [unlike([...path, String(index)], `role.connect[${index}]`, 'object', item)],
  );
}

const refuseIfAny = (issues: readonly Issue[]): void => {
  if (issues.length > 0) throw issuesError(issues);
};

export function checkNewUser(body: unknown): void {
  refuseList(body);
  const given = recordOf(body);
  const texts = { email: { rules: [isEmail] }, username: {}, password: { rules: [isShortEnough] } };
  refuseIfAny([...textIssues(given, texts), ...newRoleIssues(given['role'])]);
}

export function checkChangedUser(body: unknown): void {
  refuseList(body);
  const given = recordOf(body);
  const optional = true;
  if (given['password'] === null || given['password'] === '')
    throw new HeddleError('ValidationError', 'password.notNull', {});
  const texts = {
    email: { optional, rules: [isNotEmpty, isEmail] },
    username: { optional, rules: [isNotEmpty] },
    password: { optional, rules: [isShortEnough] },
  };
  const role = given['role'] === undefined ? [] : roleIssues(given['role']);
  refuseIfAny([...textIssues(given, texts), ...role]);
}

/** On creation, what the document pipeline refuses is told in another form. */
export function asApplicationError(error: unknown): unknown {
  if (!(error instanceof HeddleError) || error.name !== 'ValidationError') return error;
  return new HeddleError('ApplicationError', error.message, {}, { cause: error });
}
