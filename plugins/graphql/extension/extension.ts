import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { DocumentNode } from 'graphql';
import { z } from 'zod';
import { refuseIfAny, schemaProblems } from '../../../core';
import type { GraphqlHooks, Resolver, TypeResolvers } from '../hooks';
import type { Shadow, TypeShadow } from '../schema/shadow';

/** What a policy of a resolver sees: the request, with what the resolver was called with. */
export type PolicyFunction = (context: never, tools: never) => unknown;
export type MiddlewareFunction = (next: Resolver, ...asked: Parameters<Resolver>) => unknown;

export type PolicyOfResolver = string | { readonly name: string; readonly config?: unknown } | PolicyFunction;
export type MiddlewareOfResolver = string | { readonly name: string; readonly options?: unknown } | MiddlewareFunction;

/** Who may use a field, and what stands around its resolver. */
export interface ResolverConfig {
  /** `false`: everyone; `scope`: who may do all of these actions. */
  readonly auth?: boolean | { readonly scope: readonly string[] };
  readonly policies?: readonly PolicyOfResolver[];
  readonly middlewares?: readonly MiddlewareOfResolver[];
}

export interface ExtensionParts {
  /** Types of graphql-js, builders and schemas of Pothos, definitions of Nexus. */
  readonly types?: readonly unknown[];
  readonly typeDefs?: string | DocumentNode;
  /** Plugins of Nexus, for the definitions in `types`. */
  readonly plugins?: readonly unknown[];
  readonly resolvers?: Readonly<Record<string, TypeResolvers>>;
  /** `Query.categories` → its configuration. */
  readonly resolversConfig?: Readonly<Record<string, ResolverConfig>>;
}

/** Packages for extensions, each loaded when it is first asked for: the application's own, else Heddle's. */
export interface ExtensionTools {
  readonly graphql: typeof import('graphql');
  readonly nexus: typeof import('nexus');
  readonly pothos: typeof import('@pothos/core');
}

export type Extension = ExtensionParts | ((tools: ExtensionTools) => ExtensionParts);

/** What plugins say about the schema. */
export interface GraphqlExtension {
  /** To say what of a content type, or of a component, is served. */
  shadowCRUD(uid: string): TypeShadow;
  /** To add types, fields and resolvers, and what stands around resolvers. */
  use(extension: Extension): GraphqlExtension;
}

export interface UsedExtension extends ExtensionParts {
  readonly plugin: string;
}

const named = (key: 'config' | 'options') =>
  z.union([
    z.string(),
    z.custom((value) => typeof value === 'function', 'function'),
    z.strictObject({ name: z.string(), [key]: z.unknown() }),
  ]);

const partsSchema = z.strictObject({
  types: z.array(z.unknown()).optional(),
  typeDefs: z
    .union([z.string(), z.custom((value) => (value as DocumentNode | null)?.kind === 'Document', 'document')])
    .optional(),
  plugins: z.array(z.unknown()).optional(),
  resolvers: z
    .record(
      z.string(),
      z.custom((value) => typeof value === 'object' && value !== null),
    )
    .optional(),
  resolversConfig: z
    .record(
      z.string(),
      z.strictObject({
        auth: z.union([z.boolean(), z.strictObject({ scope: z.array(z.string()) })]).optional(),
        policies: z.array(named('config')).optional(),
        middlewares: z.array(named('options')).optional(),
      }),
    )
    .optional(),
});

function createTools(appDir: string): ExtensionTools {
  const requireThere = createRequire(join(appDir, 'package.json'));
  const load = (name: string): never => {
    try {
      return requireThere(name) as never;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
      return require(name) as never;
    }
  };
  return {
    // Two copies of this one don't know each other's types, so there is no choice.
    graphql: require('graphql') as ExtensionTools['graphql'],
    get nexus() {
      return load('nexus');
    },
    get pothos() {
      return load('@pothos/core');
    },
  };
}

/** Asks plugins what they say about the schema. */
export function collectExtensions(
  hooks: Pick<GraphqlHooks, 'extend'>,
  shadow: Shadow,
  appDir: string,
): { readonly used: readonly UsedExtension[]; readonly tools: ExtensionTools } {
  const used: UsedExtension[] = [];
  const tools = createTools(appDir);
  let plugin = '';
  hooks.extend.intercept({
    tap({ name }) {
      plugin = name.split(':')[0]!;
    },
  });
  const extension: GraphqlExtension = {
    shadowCRUD: (uid) => shadow.type(uid, `plugin "${plugin}"`),
    use(given) {
      const parts = typeof given === 'function' ? given(tools) : given;
      refuseIfAny(schemaProblems(partsSchema, parts, `plugin "${plugin}"`, 'graphql.use').problems);
      used.push({ ...parts, plugin });
      return extension;
    },
  };
  hooks.extend.call(extension);
  return { used, tools };
}
