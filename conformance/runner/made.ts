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

/** A user that a POST made: by registering, or as one makes others. */
function userIn(path: string, body: Json): Removal[] {
  const id = path.startsWith('/api/auth/') ? pick(body, 'user.id') : path === users ? pick(body, 'id') : undefined;
  return typeof id === 'number' ? [removeUser(id)] : [];
}

/** Users that registered by a mutation, as far as it asks for their ids. */
function registeredByGraphql(body: Json): Removal[] {
  const answers = pick(body, 'data');
  return Object.values(typeof answers === 'object' && answers !== null ? answers : {}).flatMap((answer) => {
    const id = pick(answer, 'user.id');
    return pick(answer, 'jwt') !== undefined && id !== undefined ? [removeUser(id)] : [];
  });
}

const creations = /(?:(\w+)\s*:\s*)?\bcreate([A-Z]\w*)(\(\s*locale:)?/g;

/** Where REST has a type of the fixtures, whose names are regular words. */
const pathOfType = (type: string): string => `/api/${type.toLowerCase().replace(/y$/, 'ie')}s`;

/**
 * Documents that mutations made, as far as these ask for their ids; they go the way they came, unless they were made in a
 * locale: not every target's mutation deletes another one than the default.
 */
function createdByGraphql(request: WireRequest, body: Json, target: Target): Removal[] {
  const query = pick(parsed(request), 'query');
  return [...String(query ?? '').matchAll(creations)].flatMap(([, alias, type = '', inLocale]) => {
    const id = pick(body, `data.${alias ?? `create${type}`}.documentId`);
    if (typeof id !== 'string') return [];
    if (inLocale) return [removalOf(pathOfType(type), id, target)];
    const mutation = `mutation { delete${type}(documentId: ${JSON.stringify(id)}) { documentId } }`;
    return [{ method: 'POST', path: graphql, body: JSON.stringify({ query: mutation }) }];
  });
}

export function parsed({ body }: WireRequest): Json {
  try {
    return JSON.parse(String(body ?? 'null')) as Json;
  } catch {
    return null;
  }
}

/**
 * What a POST made, wanted or not: a target that accepts what a row expects it to refuse must not keep it either. The row's
 * single type, if it writes one, is not meant here.
 */
export function madeBy(request: WireRequest, answer: Answer, target: Target, single?: string): Removal[] {
  const path = collectionOf(request);
  if (request.method !== 'POST' || !path) return [];
  const body = bodyOfAnswer(answer);
  if (path === graphql) return [...createdByGraphql(request, body, target), ...registeredByGraphql(body)];
  if (path === uploads) return filesIn(body);
  const documentId = pick(body, 'data.documentId');
  if (typeof documentId !== 'string') return userIn(path, body);
  // What a path names already, as in /articles/ID/publish or /homepage/publish, was not made by the request.
  if (path.split('/').includes(encodeURIComponent(documentId)) || (single && path.startsWith(`${single}/`))) return [];
  return [removalOf(path, documentId, target)];
}

const everyLocale = (target: Target): string => (target.features.has('i18n') ? '?locale=*' : '');

export const removalOf = (path: string, documentId: string, target: Target): Removal =>
  remove(`${path}/${encodeURIComponent(documentId)}${everyLocale(target)}`);

export const removalOfSingle = (path: string, target: Target): Removal => remove(path + everyLocale(target));
