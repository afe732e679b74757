import { actionsFor, type ContentType, type RegisteredRoute } from '../../../core';
import type { Json } from '../hooks';
import { failures } from './common';
import { parametersFor } from './parameters';
import { listOf, reference, requiredOf } from './schemas';

/** `/articles/:documentId` → `/articles/{documentId}`. */
export const templated = (path: string): string =>
  path.replace(/:([A-Za-z_][\w]*)(\([^)]*\))?\??/g, '{$1}').replaceAll('*', '{path}');

const pathParameters = (path: string): Json[] =>
  [...templated(path).matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

const json = (schema: Json): Json => ({ content: { 'application/json': { schema } } });

/** Who may use it: everyone, or who has a token that may; what is granted to the public needs none. */
function access(route: RegisteredRoute): Json {
  const actions = actionsFor(route);
  if (actions.length === 0) return { security: [] };
  return {
    security: [{ token: [] }, {}],
    description: `Needs the permission ${actions.map((action) => `\`${action}\``).join(' and ')}.`,
  };
}

const envelope = (data: Json, meta: Json = { type: 'object' }): Json => ({
  type: 'object',
  required: ['data', 'meta'],
  properties: { data, meta },
});

const page = { type: 'object', properties: { pagination: reference('Pagination') } };

const verbs: Readonly<Record<string, string>> = {
  find: 'List',
  findOne: 'Get',
  create: 'Create',
  update: 'Change',
  delete: 'Delete',
};

/** An operation on documents of a type. */
export function documentOperation(route: RegisteredRoute, type: ContentType, action: string, name: string): Json {
  const isSingle = type.modelKind === 'singleType';
  const isList = action === 'find' && !isSingle;
  const verb = isSingle && action === 'find' ? 'Get' : (verbs[action] ?? action);
  const required = action === 'create' ? requiredOf(type) : [];
  const input = reference(`${name}Input`);
  const data = required.length > 0 ? { allOf: [input, { type: 'object', required }] } : input;
  const body = { type: 'object', required: ['data'], properties: { data } };
  const answer = isList ? envelope(listOf(reference(name)), page) : envelope(reference(name));
  return {
    tags: [type.definition.info.displayName],
    operationId: `${type.uid}.${action}`,
    summary: `${verb} ${isList ? type.pluralName : type.singularName}`,
    ...access(route),
    parameters: [...pathParameters(route.path), ...parametersFor(type, action)],
    ...(route.body === 'json' && { requestBody: { required: true, ...json(body) } }),
    responses: {
      ...(action === 'delete'
        ? { 204: { description: 'Deleted, or not there' } }
        : { [action === 'create' ? 201 : 200]: { description: 'Done', ...json(answer) } }),
      ...failures(400, 401, 403, 404),
    },
  };
}

/** What is known of a route that nobody describes. */
export const plainOperation = (route: RegisteredRoute): Json => ({
  tags: [route.plugin],
  operationId: `${route.method} ${route.path}`,
  summary: `${route.method} ${route.path}`,
  ...access(route),
  parameters: pathParameters(route.path),
  ...(route.body === 'json' && { requestBody: json({}) }),
  responses: { '2XX': { description: 'Done' }, ...failures(400, 401, 403, 404) },
});
