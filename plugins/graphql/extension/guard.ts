import { defaultFieldResolver, type GraphQLField, type GraphQLSchema, isObjectType } from 'graphql';
import {
  didYouMean,
  type Heddle,
  HeddleError,
  type MiddlewareMaker,
  type Policy,
  type Principal,
  type Problem,
  problem,
  type Registry,
  refuseIfAny,
  schemaProblems,
} from '../../../core';
import type { GraphqlContext, Resolver } from '../hooks';
import { forbiddenAccess } from '../query/read';
import { telling } from '../schema/give-resolvers';
import type { MiddlewareOfResolver, PolicyOfResolver, ResolverConfig, UsedExtension } from './extension';

/** What resolvers can be guarded with by name. */
export interface Named {
  readonly policies: Registry<Policy>;
  readonly middlewares: Registry<MiddlewareMaker>;
}

type Asked = Parameters<Resolver>;
type Gate = (...asked: Asked) => Promise<void>;

/** The actions that `auth` demands; undefined where it leaves things as they are. */
export const scopeOf = ({ auth }: ResolverConfig): readonly string[] | undefined => {
  if (auth === false) return [];
  return typeof auth === 'object' ? auth.scope : undefined;
};

/** The request, with what the resolver was called with. */
function policyContext([parent, args, context, info]: Asked): object {
  const { http } = context;
  return Object.assign(Object.create(http) as object, { parent, args, context, info, http, state: http['state'] });
}

function gateOf(use: PolicyOfResolver, asker: string, { named, service }: Guarding): Gate {
  const { name, config } =
    typeof use === 'object' ? use : { name: String(use), config: typeof use === 'function' ? { service } : undefined };
  const policy = typeof use === 'function' ? (use as Policy) : named.policies.require(name, asker);
  return async (...asked) => {
    if ((await policy(policyContext(asked) as never, config)) !== true)
      throw new HeddleError('PolicyError', 'Policy Failed', {});
  };
}

function around(use: MiddlewareOfResolver, next: Resolver, asker: string, { middlewares }: Named): Resolver {
  if (typeof use === 'function') return (...asked) => use(next, ...asked);
  const { name, options } = typeof use === 'string' ? { name: use, options: undefined } : use;
  const maker = middlewares.require(name, asker);
  let checked: unknown = options;
  if (maker.options) {
    const { value, problems } = schemaProblems(maker.options, options ?? {}, asker, name);
    refuseIfAny(problems);
    checked = value;
  }
  const run = maker.make(checked);
  return async (...asked) => {
    let result: unknown;
    await run(asked[2].http as never, async () => {
      result = await next(...asked);
    });
    return result;
  };
}

interface Guarding {
  readonly schema: GraphQLSchema;
  readonly named: Named;
  /** The actions that a root field demands unless its resolver asks for them itself. */
  readonly demanded: ReadonlyMap<string, readonly string[]>;
  /** Fields whose own resolver asks for what is demanded. */
  readonly asking: ReadonlySet<string>;
  readonly service: Heddle['service'];
  mayDo(principal: Principal, action: string): Promise<boolean>;
}

function guard(
  field: GraphQLField<unknown, GraphqlContext>,
  key: string,
  { plugin, policies = [], middlewares = [] }: ResolverConfig & { plugin: string },
  scope: readonly string[],
  guarding: Guarding,
): void {
  const { named, mayDo } = guarding;
  const asker = `plugin "${plugin}", resolversConfig ${key}`;
  const gates = policies.map((use) => gateOf(use, asker, guarding));
  const check: Gate = async (...asked) => {
    const { principal } = asked[2];
    for (const action of scope) if (!(await mayDo(principal, action))) throw forbiddenAccess();
    for (const gate of gates) await gate(...asked);
  };
  let inner: Resolver = (field.resolve as Resolver | undefined) ?? defaultFieldResolver;
  for (const use of [...middlewares].reverse()) inner = around(use, inner, asker, named);
  const { subscribe } = field;
  if (subscribe) {
    // Checked where the subscription begins; each event then goes through the middlewares.
    field.subscribe = telling(async (...asked) => {
      await check(...asked);
      return subscribe(...asked);
    }) as never;
    field.resolve = telling(inner) as never;
    return;
  }
  field.resolve = telling(async (...asked) => {
    await check(...asked);
    return inner(...asked);
  }) as never;
}

/** What all extensions say about one resolver; two over one are an error that names both. */
export function resolverConfigs(used: readonly UsedExtension[]): Map<string, ResolverConfig & { plugin: string }> {
  const configs = new Map<string, ResolverConfig & { plugin: string }>();
  const problems: Problem[] = [];
  for (const { plugin, resolversConfig = {} } of used)
    for (const [key, config] of Object.entries(resolversConfig)) {
      const other = configs.get(key);
      if (other)
        problems.push(
          problem(
            `resolversConfig ${key}`,
            `is given by plugin "${other.plugin}" and ${other.plugin === plugin ? 'again by it' : `by plugin "${plugin}"`}.`,
            'Keep one of the two.',
          ),
        );
      configs.set(key, { ...config, plugin });
    }
  refuseIfAny(problems);
  return configs;
}

/** Puts around resolvers what their configuration says; a field of a root type that nobody opens is private. */
export function guardResolvers(
  configs: ReadonlyMap<string, ResolverConfig & { plugin: string }>,
  guarding: Guarding,
): void {
  const { schema, demanded, asking } = guarding;
  const fields = new Map<string, GraphQLField<unknown, GraphqlContext>>();
  for (const type of Object.values(schema.getTypeMap()))
    if (isObjectType(type) && !type.name.startsWith('__'))
      for (const field of Object.values(type.getFields())) fields.set(`${type.name}.${field.name}`, field);
  refuseIfAny(
    [...configs].flatMap(([key, { plugin }]) =>
      fields.has(key)
        ? []
        : [
            problem(
              `plugin "${plugin}"`,
              `configures the resolver of ${key}, which is no field.`,
              didYouMean(key, fields.keys()).trim() || 'Name it as Query.articles.',
              'resolversConfig',
            ),
          ],
    ),
  );
  for (const key of new Set([...configs.keys(), ...demanded.keys()])) {
    const config = configs.get(key) ?? { plugin: 'graphql' };
    const scope = asking.has(key) ? [] : (scopeOf(config) ?? demanded.get(key) ?? []);
    const needs = scope.length > 0 || config.policies?.length || config.middlewares?.length;
    if (needs) guard(fields.get(key)!, key, config, scope, guarding);
  }
}
