import { bounded, cut, type Issue, isAddress, issuesError, wrongType } from '../../../core';
import { fits } from '../../passwords';

type Body = Readonly<Record<string, unknown>>;

/** What is wrong with a text; undefined for nothing. */
type Rule = (text: string, name: string, body: Body) => string | undefined;

export interface Field {
  readonly optional?: boolean;
  /** An empty text is judged by the rules, not taken for a missing one. */
  readonly mayBeEmpty?: boolean;
  /** What is told of anything but a text, in place of its type. */
  readonly ifNoText?: string;
  readonly rules?: readonly Rule[];
}

// The plugin "email" sends nothing to other addresses: not to names in quotes, nor to parts longer than mail servers take.
const address =
  /^[^\s\u0000-\u001f\u007f@"(),:;<>[\]\\]+@(?:[\p{L}\p{N}](?:[\p{L}\p{N}_-]*[\p{L}\p{N}])?\.)+\p{L}(?:[\p{L}\p{N}_-]*\p{L})?$/u;

const fitsServers = (text: string): boolean => {
  const at = text.indexOf('@');
  return at <= 64 && text.length - at - 1 <= 255;
};

export const isEmail: Rule = (text, name) =>
  isAddress(text) && fitsServers(text) && address.test(text) ? undefined : `${name} must be a valid email`;
export const isGiven: Rule = (text, name) => (text === '' ? `${name} is a required field` : undefined);
export const isNotEmpty: Rule = (text, name) => (text === '' ? `${name} must be at least 1 characters` : undefined);
export const isShortEnough: Rule = (text) => (fits(text) ? undefined : 'Password must be less than 73 bytes');
const doNotMatch = 'Passwords do not match';
export const isRepeated: Rule = (text, _name, { password }) => (text === password ? undefined : doNotMatch);

function issuesOf(name: string, { optional, mayBeEmpty, ifNoText, rules = [] }: Field, body: Body): Issue[] {
  const value = body[name];
  const issue = (message: string, rest: object = { value }): Issue => ({
    path: [name],
    message,
    name: 'ValidationError',
    ...rest,
  });
  if (value === undefined) return optional ? [] : [issue(`${name} is a required field`, {})];
  if (typeof value !== 'string') {
    if (ifNoText !== undefined) return [issue(ifNoText)];
    const { message, ...rest } = wrongType(name, 'string', value);
    const isOther = rules.includes(isRepeated) && value !== body['password'];
    return [issue(message, rest), ...(isOther ? [issue(doNotMatch)] : [])];
  }
  const isMissing = value === '' && !optional && !mayBeEmpty;
  const asked = isMissing ? rules.filter((rule) => rule === isNotEmpty) : rules;
  const message = asked.map((rule) => rule(value, name, body)).find((found) => found !== undefined);
  return [
    ...(message === undefined ? [] : [issue(message)]),
    ...(isMissing ? [issue(`${name} is a required field`)] : []),
  ];
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const recordOf = (body: unknown): Body => (isRecord(body) ? body : {});

/** What is wrong with the texts of a body, in the order of the fields. */
export const textIssues = (body: Body, fields: Readonly<Record<string, Field>>): Issue[] =>
  Object.entries(fields).flatMap(([name, field]) => issuesOf(name, field, body));

/** A list is told to be none of what bodies are, whatever it holds. */
export function refuseList(given: unknown): void {
  if (!Array.isArray(given)) return;
  const { message, value } = wrongType('this', 'object', given);
  throw issuesError([{ path: [], message, name: 'ValidationError', value }]);
}

/** Whoever sends more than these bodies have gets the start of it. */
const told = (body: Body): unknown =>
  bounded(
    Object.fromEntries(
      Object.entries(body).map(([key, value]) => [cut(key), typeof value === 'string' ? cut(value) : value]),
    ),
  );

function unknownIssues(body: Body, fields: Readonly<Record<string, Field>>): Issue[] {
  const unknown = Object.keys(body).filter((key) => !Object.hasOwn(fields, key));
  if (unknown.length === 0) return [];
  const message = `this field has unspecified keys: ${cut(unknown.join(', '))}`;
  // As Strapi answers; what it holds is told to nobody but who sent it.
  return [{ path: [], message, name: 'ValidationError', value: told(body) }];
}

/** Reads texts out of a body; everything that is wrong with them is told at once, where `isClosed` what else is in it, too. */
export function readTexts<Name extends string>(
  given: unknown,
  fields: Readonly<Record<Name, Field>>,
  { isClosed = false } = {},
): Readonly<Record<Name, string>> {
  refuseList(given);
  const body = recordOf(given);
  const issues = [...textIssues(body, fields), ...(isClosed ? unknownIssues(body, fields) : [])];
  if (issues.length > 0) throw issuesError(issues);
  return body as Readonly<Record<Name, string>>;
}
