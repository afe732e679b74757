import type { Context } from 'koa';
import { type Mutation, name } from './mutation';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Changes what leaves the service. */
const answer = (id: string, rules: string[], change: (context: Context) => void): Mutation => ({
  id,
  rules,
  tap: (hooks) =>
    void hooks.http.middlewares.tap(name, (middlewares) =>
      middlewares.add(name, {
        global: true,
        make: () => async (context, next) => {
          await next();
          change(context);
        },
      }),
    ),
});

function bodyOf(context: Context): Json | undefined {
  const { body } = context;
  const text = typeof body === 'string' || Buffer.isBuffer(body) ? body.toString() : JSON.stringify(body ?? null);
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

const json = (id: string, rules: string[], path: RegExp, change: (body: Json, context: Context) => Json): Mutation =>
  answer(id, rules, (context) => {
    if (!path.test(context.path)) return;
    const body = bodyOf(context);
    if (body === undefined || body === null) return;
    const { status } = context;
    context.body = JSON.stringify(change(body, context));
    context.status = status;
    context.type = 'application/json';
  });

/** Changes what the envelope of a failed request tells. */
const failure = (id: string, rules: string[], change: (error: JsonObject) => JsonObject): Mutation => ({
  id,
  rules,
  tap: (hooks) =>
    void hooks.http.error.tap(name, (given) => {
      const body = given.body as Json;
      return isObject(body) && isObject(body['error'])
        ? { ...given, body: { ...body, error: change(body['error']) } }
        : given;
    }),
});

/** The same in every object of the body that has the key. */
function everywhere(body: Json, key: string, change: (found: JsonObject) => JsonObject): Json {
  if (Array.isArray(body)) return body.map((item) => everywhere(item, key, change));
  if (!isObject(body)) return body;
  const inside = Object.fromEntries(Object.entries(body).map(([at, item]) => [at, everywhere(item, key, change)]));
  return key in inside ? change(inside) : inside;
}

const lacking =
  (key: string) =>
  (body: Json): Json =>
    everywhere(body, key, ({ [key]: _, ...left }) => left);
const replaced =
  (key: string, change: (value: Json) => Json) =>
  (body: Json): Json =>
    everywhere(body, key, (found) => ({ ...found, [key]: change(found[key] ?? null) }));

const documents = /^\/api\/(articles|products|authors|tags|categories|restaurants|profiles|homepage|setting)\b/;
const graphql = /^\/graphql/;
const files = /^\/api\/upload/;
const users = /^\/api\/(users|auth)/;

const later = (value: Json): Json => (typeof value === 'string' ? value.replace('T', ' ') : value);

const fileKeys = [
  'name',
  'alternativeText',
  'caption',
  'formats',
  'size',
  'url',
  'previewUrl',
  'provider',
  'provider_metadata',
];
const userKeys = ['username', 'email', 'provider', 'confirmed', 'blocked'];
const kindKeys: readonly (readonly [kind: string, key: string])[] = [
  ['string', 'title'],
  ['text', 'summary'],
  ['richtext', 'body'],
  ['enumeration', 'kind'],
  ['email', 'contact'],
  ['uid', 'slug'],
  ['date', 'day'],
  ['time', 'hour'],
  ['datetime', 'at'],
  ['timestamp', 'stamp'],
  ['integer', 'rating'],
  ['biginteger', 'views'],
  ['float', 'score'],
  ['decimal', 'price'],
  ['boolean', 'featured'],
  ['json', 'extra'],
];

const dashed = (key: string): string =>
  key.replaceAll('_', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Answers that lack a key, or have a wrong one. */
export const answerMutations: readonly Mutation[] = [
  ...fileKeys.map((key) =>
    json(`media-file.${dashed(key)}.missing`, [`spec.media-file.${dashed(key)}`], files, lacking(key)),
  ),
  ...userKeys.map((key) => json(`user.${key}.missing`, [`spec.user.${key}`], users, lacking(key))),
  ...kindKeys.map(([kind, key]) =>
    json(
      `kinds.${kind}.null`,
      [`spec.kinds.default.${kind}`],
      documents,
      replaced(key, (value) => (value === null ? value : null)),
    ),
  ),
  json('document.id.missing', ['spec.document.id', 'spec.versioning.2.rest'], documents, lacking('id')),
  json(
    'document.id.shown',
    ['spec.document.id.graphql', 'spec.versioning.2.graphql'],
    graphql,
    replaced('documentId', (value) => (typeof value === 'string' ? value.slice(1) : value)),
  ),
  json(
    'document.document-id.short',
    ['spec.document.document-id', 'spec.versioning.1a.identity'],
    documents,
    replaced('documentId', (value) => (typeof value === 'string' ? value.slice(1) : value)),
  ),
  json('document.created-at.form', ['spec.document.created-at'], documents, replaced('createdAt', later)),
  json('document.updated-at.form', ['spec.document.updated-at'], documents, replaced('updatedAt', later)),
  json(
    'document.published-at.form',
    ['spec.document.published-at', 'spec.states.p3'],
    documents,
    replaced('publishedAt', later),
  ),
  json('document.locale.missing', ['spec.document.locale'], documents, lacking('locale')),
  json(
    'document.nested',
    ['spec.document.p1', 'spec.versioning.1a.flat', 'spec.document.user-defined-attributes'],
    documents,
    (body) =>
      isObject(body) && isObject(body['data'])
        ? { ...body, data: { id: body['data']['id'] ?? null, attributes: body['data'] } }
        : body,
  ),
  json('envelope.without-meta', ['spec.envelope.meta', 'spec.collection.one'], documents, lacking('meta')),
  json(
    'envelope.list-of-one',
    ['spec.envelope.data', 'spec.collection.create', 'spec.collection.update'],
    documents,
    (body) => (isObject(body) && isObject(body['data']) ? { ...body, data: [body['data']] } : body),
  ),
  json(
    'envelope.page-count',
    ['spec.envelope.p2a', 'spec.collection.list'],
    documents,
    replaced('pageCount', (value) => Number(value) + 1),
  ),
  json(
    'envelope.total',
    ['spec.envelope.p2a', 'spec.envelope.p2b', 'spec.pagination.with-count'],
    documents,
    replaced('total', (value) => Number(value) + 1),
  ),
  failure(
    'error.without-details',
    ['spec.envelope.error', 'spec.errors.p1a', 'spec.errors.p1b'],
    ({ details: _, ...left }) => left,
  ),
  failure('error.other-name', ['spec.envelope.error', 'spec.errors.p1b'], (error) => ({ ...error, name: 'Error' })),
  json('graphql.errors-with-status', ['spec.errors.p1c'], graphql, lacking('extensions')),
  json(
    'graphql.total',
    ['spec.graphql-queries.connection', 'spec.graphql-pagination.b3'],
    graphql,
    replaced('total', (value) => Number(value) + 1),
  ),
  json(
    'graphql.count',
    ['spec.graphql-aggregates.count', 'spec.graphql-aggregates.p2.all'],
    graphql,
    replaced('count', (value) => (typeof value === 'number' ? value + 1 : value)),
  ),
  json(
    'graphql.avg',
    ['spec.graphql-aggregates.avg', 'spec.graphql-aggregates.p2.nulls'],
    graphql,
    replaced('avg', (value) =>
      isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, Number(item) + 1])) : value,
    ),
  ),
  json(
    'graphql.sum',
    ['spec.graphql-aggregates.sum'],
    graphql,
    replaced('sum', (value) =>
      isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, Number(item) + 1])) : value,
    ),
  ),
  json('zone.component', ['spec.kinds.b4a', 'spec.kinds.b4b'], documents, lacking('__component')),
  answer(
    'delete.with-body',
    ['spec.writes.5', 'spec.errors.successful-delete', 'spec.collection.delete', 'spec.single.delete'],
    (context) => {
      if (context.method === 'DELETE' && context.status === 204 && documents.test(context.path)) {
        context.status = 200;
        context.body = { data: null };
      }
    },
  ),
  answer('create.without-201', ['spec.collection.create', 'spec.locale.form.create-default'], (context) => {
    if (context.method === 'POST' && context.status === 201 && documents.test(context.path)) context.status = 200;
  }),
];
