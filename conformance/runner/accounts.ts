import type { Answer, WireRequest } from '../targets/target';
import { bears, collectionOf, graphql, pathsOfCreations, queryIn, registration, roles, users, usersMade } from './made';
import type { Json } from './row';
import { bodyOfAnswer } from './send';
import { pick } from './template';

/** Where something can be found that was made, though no answer tells its number. */
export type Place = typeof users | typeof roles;

const makers = /(?:(\w+)\s*:\s*)?\b(createUsersPermissionsUser|createUsersPermissionsRole|register)\b(?=\s*\()/g;

const isUnnumbered = (made: Json | undefined): boolean =>
  made !== undefined && made !== null && pick(made, 'user.id') === undefined;

/**
 * Where to look for what a request made. A role is answered with "ok" alone, and over GraphQL a user has no number, by which
 * alone users are deleted; who registers has one, where it is asked for. A user without the mark may be somebody's, whatever
 * its number.
 */
export function placesOf(request: WireRequest, answer: Answer, mark: string): Place[] {
  const path = collectionOf(request);
  if (request.method !== 'POST' || answer.status >= 300) return [];
  if (path === roles) return [roles];
  const body = bodyOfAnswer(answer);
  const strangers = usersMade(request, body).filter((user) => !bears(mark, request, user));
  return [...strangers.map((): Place => users), ...(path === graphql ? unnumbered(request, body) : [])];
}

const unnumbered = (request: WireRequest, body: Json): Place[] =>
  made(request)
    .filter(({ at }) => isUnnumbered(pick(body, `data.${at}`)))
    .map(({ place }) => place);

/** What a request over GraphQL makes: where its answer tells of it, and where it stands then. */
const made = (request: WireRequest): { at: string; place: Place }[] =>
  [...queryIn(request).matchAll(makers)].map(([, alias, name = '']) => ({
    at: alias ?? name,
    place: name === 'createUsersPermissionsRole' ? roles : users,
  }));

/** Where to look for what a request made that got no answer: where nobody knows, at its own path. */
export function placesWithoutAnswer(request: WireRequest): string[] {
  const path = collectionOf(request);
  if (request.method !== 'POST' || !path) return [];
  if (path === registration) return [users];
  const overGraphql =
    path === graphql ? [...made(request).map(({ place }) => place), ...pathsOfCreations(request)] : [];
  return overGraphql.length > 0 ? overGraphql : [path];
}
