import type { GraphQLSchema } from 'graphql';
import { CONTENT, createEnv, DOCUMENTS, type Heddle, isTapped, type Route } from '../../core';
import { createApollo } from './answer/apollo';
import { createJudge } from './answer/documents';
import { createPlainAnswers, type PlainAnswers } from './answer/plain';
import { createReading } from './answer/reading';
import { createShownDocument } from './answer/shown-document';
import { type GraphqlOptions, mostCost } from './config';
import { createEndpoint } from './endpoint';
import type { Named } from './extension/guard';
import type { Contribution, RootArgument } from './hooks';
import type { LandingPage } from './landing/landing-page';
import { createCostLimit } from './limits/cost';
import { depthRule } from './limits/depth';
import { createDocumentAccess, type Surroundings } from './query/read';
import { completeSchema } from './schema/complete-schema';
import type { Subscriptions } from './subscriptions/subscriptions';

/** Options of Apollo Server that look into how requests are answered: then it answers all of them. */
const watching = ['plugins', 'formatError', 'rootValue', 'stringifyResult', 'validationRules', 'fieldResolver'];

/** The schema, and what answers by it. */
export interface Interface {
  readonly schema: GraphQLSchema;
  readonly handle: Route['handle'];
  stop(): Promise<void>;
}

interface InterfaceParts {
  readonly heddle: Heddle;
  readonly options: GraphqlOptions;
  readonly introspection: boolean;
  readonly landing: LandingPage;
  readonly named: Named;
  readonly subscriptions: Subscriptions | undefined;
  readonly contributed: readonly Contribution[];
}

function surroundingsOf({ hooks, service }: Heddle, options: GraphqlOptions): Surroundings {
  const rootArguments: RootArgument[] = [];
  hooks.graphql.arguments.call({ add: (argument) => rootArguments.push(argument) });
  return {
    documents: service(DOCUMENTS),
    limits: options,
    rootArguments,
    typeOf: (uid) => service(CONTENT).types.get(uid),
    mayDo: async (principal, action) => (await hooks.http.authorize.promise({ principal, action })) === true,
  };
}

export function makeInterface({
  heddle,
  options,
  introspection,
  landing,
  named,
  subscriptions,
  contributed,
}: InterfaceParts): Interface {
  const { hooks, app, service, log } = heddle;
  const around = surroundingsOf(heddle, options);
  const access = createDocumentAccess(around);
  const { shadowCRUD, v4CompatibilityMode, depthLimit, apolloServer } = options;
  const { schema, meanings } = completeSchema({
    hooks: hooks.graphql,
    registry: service(CONTENT),
    shadowCRUD,
    v4Forms: v4CompatibilityMode ?? createEnv(app.env).bool('STRAPI_GRAPHQL_V4_COMPATIBILITY_MODE', false)!,
    surroundings: around,
    access,
    appDir: app.dir,
    named,
    subscriptions: subscriptions?.parts(),
    eventKinds: subscriptions?.kinds() ?? [],
    service,
    contributed,
  });
  const rules = [depthRule(depthLimit)];
  const costLimit = createCostLimit({ schema, meanings, limits: options, most: mostCost(options) });
  const apollo = createApollo({
    schema,
    rules,
    costLimit,
    introspection,
    options: apolloServer,
    landing: landing.plugin,
    log,
  });
  const judge = createJudge(schema, rules, introspection);
  const isWatched = watching.some((option) => option in apolloServer);
  const plain = isWatched
    ? undefined
    : createPlainAnswers({ schema, meanings, surroundings: around, access, judge, costLimit });
  // Who looks at documents is to see them by the names of their attributes.
  const isSeen = () => isTapped(hooks.document.result);
  const answered: PlainAnswers = async (asked, principal) => (plain && !isSeen() ? plain(asked, principal) : undefined);
  const parts = { surroundings: around, access, meanings };
  const shown = createShownDocument(parts, createReading(parts));
  const ofDocuments = { permit: access.permit, shown };
  const streams = subscriptions?.serve({ schema, rules, costLimit, introspection, access: ofDocuments });
  return {
    schema,
    handle: createEndpoint({ apollo, access: ofDocuments, plain: answered, landing, streams }),
    stop: () => apollo.stop(),
  };
}
