import type { ContentRegistry, ContentType, RegisteredRoute } from '../../../core';
import type { OpenapiOptions } from '../config';
import type { Json, OpenapiHooks } from '../hooks';
import { commonResponses, commonSchemas } from './common';
import { schemaNames } from './names';
import { documentOperation, plainOperation, templated } from './operations';
import { commonParameters } from './parameters';
import { shownSchema, writtenSchema } from './schemas';

export interface DocumentParts {
  readonly registry: ContentRegistry;
  readonly routes: readonly RegisteredRoute[];
  /** Where the routes of documents begin. */
  readonly prefix: string;
  /** The address under which the world reaches the service. */
  readonly url: string | undefined;
  readonly info: OpenapiOptions['info'];
  readonly hooks: OpenapiHooks;
}

const plainActions: Readonly<Record<string, string>> = {
  'GET /': 'findOne',
  GET: 'find',
  POST: 'create',
  PUT: 'update',
  'PUT /': 'update',
  DELETE: 'delete',
  'DELETE /': 'delete',
};

/** What a route of plugin rest does with the documents of which type. */
function documentAction(
  { method, path, plugin }: RegisteredRoute,
  prefix: string,
  types: ReadonlyMap<string, ContentType>,
): { readonly type: ContentType; readonly action: string } | undefined {
  if (plugin !== 'rest' || !path.startsWith(`${prefix}/`)) return undefined;
  const [base = '', ...rest] = path.slice(prefix.length + 1).split('/');
  const type = types.get(base);
  if (!type) return undefined;
  const added = rest.find((part) => part !== ':documentId');
  const action = added ?? plainActions[rest.length > 0 ? `${method} /` : method];
  return action === undefined ? undefined : { type, action };
}

function told(hooks: OpenapiHooks) {
  const operations = new Map<string, Json>();
  const schemas: Record<string, Json> = {};
  hooks.describe.call({
    operation: (method, path, operation) => void operations.set(`${method} ${path}`, operation),
    schema(name, schema) {
      schemas[name] = schema;
    },
  });
  return { operations, schemas };
}

/** Files of pages are no part of an API. */
const isDescribed = ({ plugin, path }: RegisteredRoute): boolean =>
  !path.includes('*') && (plugin !== 'openapi' || path.endsWith('.json'));

/** The description of all that the application answers, in OpenAPI 3.1. */
export function documentOf({ registry, routes, prefix, url, info, hooks }: DocumentParts): Json {
  const types = [...registry.types.values()];
  const names = schemaNames(types);
  const byPath = new Map(
    registry.documents
      .filter(({ uid }) => uid.startsWith('api::'))
      .map((type) => [type.modelKind === 'singleType' ? type.singularName : type.pluralName, type] as const),
  );
  const { operations, schemas } = told(hooks);
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes.filter(isDescribed)) {
    const done = documentAction(route, prefix, byPath);
    const known = done
      ? documentOperation(route, done.type, done.action, names.get(done.type.uid)!)
      : plainOperation(route);
    const path = templated(route.path);
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = { ...known, ...operations.get(`${route.method} ${route.path}`) };
  }
  const ofTypes = types.flatMap((type) => {
    const name = names.get(type.uid)!;
    return [
      [name, shownSchema(type, { names })],
      [`${name}Input`, writtenSchema(type, { names })],
    ] as const;
  });
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: url ?? '/' }],
    paths,
    components: {
      schemas: { ...commonSchemas, ...Object.fromEntries(ofTypes), ...schemas },
      responses: commonResponses,
      parameters: commonParameters,
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'An API token, or the token of a user who logged in.' },
      },
    },
  };
}
