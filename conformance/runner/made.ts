import type { Answer, Target, WireRequest } from '../targets/target';
import type { Json } from './row';
import { bodyOfAnswer } from './send';
import { pick } from './template';

/** How something that a run made is taken away again. */
export type Removal = Pick<WireRequest, 'method' | 'path'> & { body?: string };

const collection = /^(\/[^/?]+)*\/[^/?]+(?=\?|$)/;

export const collectionOf = ({ path }: WireRequest): string | undefined => collection.exec(path)?.[0];

export const users = '/api/users';
export const roles = '/api/users-permissions/roles';
export const graphql = '/graphql';
export const registration = '/api/auth/local/register';
/** Files have a place of their own, where a number names them. */
const uploads = '/api/upload';

const remove = (path: string): Removal => ({ method: 'DELETE', path });

export const removeUser = (id: Json): Removal => remove(`${users}/${id}`);
export const removeRole = (id: Json): Removal => remove(`${roles}/${id}`);

function filesIn(body: Json): Removal[] {
  return (Array.isArray(body) ? body : []).flatMap((file) => {
    const id = pick(file, 'id');
    return typeof id === 'number' ? [remove(`${uploads}/files/${id}`)] : [];
  });
}

/** What belongs to the row, or the run, that asks. */
export interface Owner {
  target: Target;
  /** A text that stands in what this row, or this run, makes and nowhere else. */
  mark: string;
  /** The single type that the row writes. */
  single?: string | undefined;
}

/** Over GraphQL, who registers; who logs in or gets a new password is answered likewise, and was there before. */
const registrations = /(?:(\w+)\s*:\s*)?\bregister\b(?=\s*\()/g;

/** Where an answer shows users that its request made: by registering, or as one makes others. */
function placesOfUsers(request: WireRequest): string[] {
  const path = collectionOf(request);
  if (path === registration) return ['user'];
  if (path === users) return [''];
  if (path !== graphql) return [];
  return [...queryIn(request).matchAll(registrations)].map(([, alias]) => `data.${alias ?? 'register'}.user`);
}

/** Users that a request made, as far as its answer tells their numbers. */
export const usersMade = (request: WireRequest, body: Json): Json[] =>
  placesOfUsers(request).flatMap((place) => {
    const user = pick(body, place);
    return user !== undefined && /^\d+$/.test(String(pick(user, 'id'))) ? [user] : [];
  });

/** Whether a user was asked for by the mark, or is answered with it: any other may be somebody's. */
export const bears = (mark: string, request: WireRequest, user: Json): boolean =>
  `${request.body} ${JSON.stringify(user)}`.includes(mark);

const creations = /(?:(\w+)\s*:\s*)?\bcreate(?!UsersPermissions)([A-Z]\w*)(\(\s*locale:)?/g;

/** Where REST has a type of the fixtures, whose names are regular words. */
const pathOfType = (type: string): string => `/api/${type.toLowerCase().replace(/y$/, 'ie')}s`;

/** Where documents stand that a request over GraphQL makes. */
export const pathsOfCreations = (request: WireRequest): string[] =>
  [...queryIn(request).matchAll(creations)].map(([, , type = '']) => pathOfType(type));

/**
 * Documents that mutations made, as far as these ask for their ids; they go the way they came, unless they were made in a
 * locale: not every target's mutation deletes another one than the default.
 */
function createdByGraphql(request: WireRequest, body: Json, target: Target): Removal[] {
  return [...queryIn(request).matchAll(creations)].flatMap(([, alias, type = '', inLocale]) => {
    const id = pick(body, `data.${alias ?? `create${type}`}.documentId`);
    if (typeof id !== 'string') return [];
    if (inLocale) return [removalOf(pathOfType(type), id, target)];
    const mutation = `mutation { delete${type}(documentId: ${JSON.stringify(id)}) { documentId } }`;
    return [{ method: 'POST', path: graphql, body: JSON.stringify({ query: mutation }) }];
  });
}

function parsed({ body }: WireRequest): Json {
  try {
    return JSON.parse(String(body ?? 'null')) as Json;
  } catch {
    return null;
  }
}

/** The text of an operation over GraphQL; empty where it is none. */
export const queryIn = (request: WireRequest): string => String(pick(parsed(request), 'query') ?? '');

/**
 * What a POST made, wanted or not: a target that accepts what a row expects it to refuse must not keep it either. The row's
 * single type, if it writes one, is not meant here.
 */
export function madeBy(request: WireRequest, answer: Answer, { target, mark, single }: Owner): Removal[] {
  const path = collectionOf(request);
  if (request.method !== 'POST' || !path) return [];
  const body = bodyOfAnswer(answer);
  const ours = usersMade(request, body)
    .filter((user) => bears(mark, request, user))
    .map((user) => removeUser(pick(user, 'id')!));
  if (path === graphql) return [...createdByGraphql(request, body, target), ...ours];
  if (path === uploads) return filesIn(body);
  const documentId = pick(body, 'data.documentId');
  if (typeof documentId !== 'string') return ours;
  // What a path names already, as in /articles/ID/publish or /homepage/publish, was not made by the request.
  if (path.split('/').includes(encodeURIComponent(documentId)) || (single && path.startsWith(`${single}/`))) return [];
  return [removalOf(path, documentId, target)];
}

const everyLocale = (target: Target): string => (target.features.has('i18n') ? '?locale=*' : '');

export const removalOf = (path: string, documentId: string, target: Target): Removal =>
  remove(`${path}/${encodeURIComponent(documentId)}${everyLocale(target)}`);

export const removalOfSingle = (path: string, target: Target): Removal => remove(path + everyLocale(target));
