import type { GraphQLSchema } from 'graphql';
import { CONTENT, definePlugin, type Route, token } from '../../core';
import { type GraphqlOptions, graphqlOptions } from './config';
import type { Named } from './extension/guard';
import { type Contribution, graphqlHooks, type SchemaTap } from './hooks';
import type { Interface } from './interface';
import { createLandingPage } from './landing/landing-page';
import { calledAlike } from './schema/called-alike';
import { madeOnce, servingOnce } from './schema/made-once';
import { unnamedParts } from './schema/unnamed';

/** The schema of the application, for plugins and tools. */
export const GRAPHQL_SCHEMA = token<() => GraphQLSchema>('graphql.schema');

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export default definePlugin<GraphqlOptions>({
  name: 'graphql',
  options: graphqlOptions,
  apply(heddle, options) {
    const { hooks, ownHooks, app, log, notice, service } = heddle;
    ownHooks('graphql', graphqlHooks());
    const introspection =
      (options.apolloServer['introspection'] as boolean | undefined) ?? app.environment !== 'production';
    let interfaceOnce: (() => Interface) | undefined;
    let made: Interface | undefined;
    const subscriptions =
      options.subscriptions === false
        ? undefined
        : (
            require('./subscriptions/subscriptions') as typeof import('./subscriptions/subscriptions')
          ).createSubscriptions({ hooks, options, log });
    const named: Partial<{ -readonly [Key in keyof Named]: Named[Key] }> = {};

    hooks.lifecycle.provide.tap('graphql', (services) => {
      services.add(GRAPHQL_SCHEMA, () => () => interfaceOnce!().schema);
    });

    hooks.http.policies.tap('graphql', (policies) => {
      named.policies = policies;
    });
    hooks.http.middlewares.tap('graphql', (middlewares) => {
      named.middlewares = middlewares;
    });

    /** Whether somebody adds to the schema whose mistakes are to be told at the start. */
    function isExtended(): boolean {
      const { extend, contribute, arguments: args } = hooks.graphql;
      const taps = [...extend.taps, ...contribute.taps, ...args.taps] as readonly SchemaTap[];
      return taps.some(({ mayWait }) => mayWait !== true);
    }

    hooks.http.routes.tap('graphql', (routes) => {
      const landing = createLandingPage(options, app, notice);
      landing.addFiles(routes);
      const contributed: Contribution[] = [];
      hooks.graphql.contribute.call({ add: (contribution) => contributed.push(contribution) });
      const registry = service(CONTENT);
      const doubts = options.shadowCRUD ? calledAlike(registry, contributed) : [];
      if (options.shadowCRUD) for (const text of unnamedParts(registry)) notice(text);
      interfaceOnce = madeOnce(() => {
        // What GraphQL needs is loaded with the first use of it.
        made = (require('./interface') as typeof import('./interface')).makeInterface({
          heddle,
          options,
          introspection,
          landing,
          named: named as Named,
          subscriptions,
          contributed,
        });
        return made;
      }, doubts);
      if (subscriptions !== undefined || isExtended() || doubts.length > 0) interfaceOnce();
      for (const { where, what } of doubts) notice(`${where} ${what} The two are one there.`);
      const serving = servingOnce(interfaceOnce);
      const handle: Route['handle'] = (context) => serving().handle(context);
      for (const method of methods)
        routes.add({
          method,
          path: options.endpoint,
          access: 'open',
          ...(method !== 'GET' && { body: 'json' }),
          handle,
        });
    });

    hooks.lifecycle.close.tapPromise('graphql', async () => {
      await made?.stop();
      await subscriptions?.close();
    });
  },
});

export type {
  Extension,
  ExtensionParts,
  ExtensionTools,
  GraphqlExtension,
  ResolverConfig,
} from './extension/extension';
export type {
  CodeScalar,
  Contribution,
  EventKind,
  GraphqlContext,
  GraphqlHooks,
  Resolver,
  RootArgument,
  SchemaTap,
} from './hooks';
export type { FieldShadow, ShadowAction, TypeShadow } from './schema/shadow';
export { carryEvents } from './subscriptions/worker-channel';
