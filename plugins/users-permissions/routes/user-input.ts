import { bounded, type ContentType, HeddleError, type Issue, issuesError, wrongType } from '../../../core';
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

/** So many wrong items of a list are looked for: to say what is wrong with half a million takes seconds, even untold. */
const mostTold = 100;

/** What is wrong with a list of roles, and with what stands in it. */
function listIssues(side: 'connect' | 'disconnect', list: unknown): Issue[] {
  const path = ['role', side];
  const label = path.join('.');
  if (!Array.isArray(list)) return [unlike(path, label, 'array', list)];
  const wrong = list.flatMap((item, index) => (isRecord(item) ? [] : [index])).slice(0, mostTold);
  return wrong.map((index) => unlike([...path, String(index)], `${label}[${index}]`, 'object', list[index]));
}

const isEmpty = (list: unknown): boolean => Array.isArray(list) && list.length === 0;

function newRoleIssues(role: unknown): Issue[] {
  if (role === undefined) return [issue(['role'], 'role is a required field')];
  if (!isRecord(role)) return roleIssues(role);
  const path = ['role', 'connect'];
  const { connect } = role;
  if (connect === undefined) return [issue(path, 'role.connect is a required field')];
  if (isEmpty(connect)) return [issue(path, 'Users must have a role', { value: connect })];
  return listIssues('connect', connect);
}

/** To disconnect a role takes another one; `set` may leave none, as on the peer. */
function changedRoleIssues(role: unknown): Issue[] {
  if (role === undefined) return [];
  if (!isRecord(role)) return roleIssues(role);
  const { connect, disconnect } = role;
  const isTaken = Array.isArray(disconnect) && !isEmpty(disconnect) && (connect === undefined || isEmpty(connect));
  return [
    ...(connect === undefined ? [] : listIssues('connect', connect)),
    ...(disconnect === undefined ? [] : listIssues('disconnect', disconnect)),
    ...(isTaken ? [issue(['role', 'disconnect'], 'Cannot remove role', { value: bounded(disconnect) })] : []),
  ];
}

const refuseIfAny = (issues: readonly Issue[]): void => {
  if (issues.length > 0) throw issuesError(issues);
};

export function checkNewUser(body: unknown): void {
  refuseList(body);
  const given = recordOf(body);
  const texts = {
    email: { rules: [isEmail] },
    username: { rules: [isNotEmpty] },
    password: { rules: [isNotEmpty, isShortEnough] },
  };
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
    password: { optional, ifNoText: 'Password must be at least 1 character', rules: [isShortEnough] },
  };
  refuseIfAny([...textIssues(given, texts), ...changedRoleIssues(given['role'])]);
}

/** On creation, what the document pipeline refuses is told in another form. */
export function asApplicationError(error: unknown): unknown {
  if (!(error instanceof HeddleError) || error.name !== 'ValidationError') return error;
  return new HeddleError('ApplicationError', error.message, {}, { cause: error });
}
