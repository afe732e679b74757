import type {
  ApolloServerOptions,
  ApolloServerPlugin,
  ContextThunk,
  GraphQLResponse,
  HTTPGraphQLResponse,
} from '@apollo/server';
import { GraphQLError, type GraphQLSchema, type ValidationRule } from 'graphql';
import type { Context } from 'koa';
import { bodyOf, ExcessiveRequest, HeddleError, type Logger } from '../../../core';
import type { GraphqlContext } from '../hooks';
import type { CostLimit } from '../limits/cost';
import { mostTokens } from '../limits/size';
import { causeOf, createErrorFormat } from './errors';

export interface ApolloParts {
  readonly schema: GraphQLSchema;
  readonly rules: readonly ValidationRule[];
  readonly costLimit: CostLimit;
  readonly introspection: boolean;
  /** Of `config.apolloServer`, over what is given here. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Renders a page for browsers. */
  readonly landing: ApolloServerPlugin<GraphqlContext> | undefined;
  readonly log: Logger;
}

/** Whether an error is the answer's: what is too much to ask for leaves its status to what was answered beside it. */
const hasStatus =
  (isAnswered: boolean) =>
  (cause: unknown): cause is HeddleError =>
    cause instanceof HeddleError && (cause.status >= 429 || (cause instanceof ExcessiveRequest && !isAnswered));

const isAnswered = (body: GraphQLResponse['body']): boolean =>
  body.kind === 'single' && Object.values(body.singleResult.data ?? {}).some((value) => value !== null);

/** What is too much to ask for, and what can't be served just now or not so often, says so by its status, too. */
const told: ApolloServerPlugin<GraphqlContext> = {
  async requestDidStart() {
    return {
      async willSendResponse({ errors = [], response }) {
        const fault = errors.map(causeOf).find(hasStatus(isAnswered(response.body)));
        if (fault) response.http.status = fault.status;
      },
    };
  },
};

/** Refuses what costs too much, or nobody knows how much, before any of it is answered. */
const bounded = (costLimit: CostLimit): ApolloServerPlugin<GraphqlContext> => ({
  async requestDidStart() {
    return {
      async didResolveOperation({ document, operation, request }) {
        const refusal = operation && costLimit.refusalOf(document, operation, request.variables ?? {});
        if (!refusal) return;
        const { message, nodes, extensions } = refusal;
        throw new GraphQLError(message, { nodes, extensions: { ...extensions, http: { status: 400 } } });
      },
    };
  },
});

/** Apollo Server, loaded when a request first needs it: it answers all but plain queries. */
export function createApollo({ schema, rules, costLimit, introspection, options, landing, log }: ApolloParts) {
  const format = createErrorFormat((error) => log.error({ err: error }, 'a GraphQL field failed'));

  async function start() {
    const { ApolloServer, HeaderMap } = require('@apollo/server') as typeof import('@apollo/server');
    const { ApolloServerPluginCacheControlDisabled, ApolloServerPluginLandingPageDisabled } =
      require('@apollo/server/plugin/disabled') as typeof import('@apollo/server/plugin/disabled');
    const { plugins = [], validationRules = [], ...more } = options as Partial<ApolloServerOptions<GraphqlContext>>;
    const server = new ApolloServer<GraphqlContext>({
      cache: 'bounded',
      csrfPrevention: true,
      formatError: format,
      includeStacktraceInErrorResponses: false,
      parseOptions: { maxTokens: mostTokens },
      stopOnTerminationSignals: false,
      ...more,
      introspection,
      logger: log as never,
      plugins: [
        told,
        bounded(costLimit),
        // It would put a resolver of its own around every field; answers say that they are not to be kept all the same.
        ApolloServerPluginCacheControlDisabled(),
        landing ?? ApolloServerPluginLandingPageDisabled(),
        ...plugins,
      ],
      schema,
      validationRules: [...rules, ...validationRules],
    } as ApolloServerOptions<GraphqlContext>);
    await server.start();
    return { server, HeaderMap };
  }

  let started: ReturnType<typeof start> | undefined;

  return {
    async answer(context: Context, thunk: ContextThunk<GraphqlContext>): Promise<HTTPGraphQLResponse> {
      started ??= start();
      const { server, HeaderMap } = await started;
      const headers = new HeaderMap();
      for (const [name, value] of Object.entries(context.req.headers))
        if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
      return server.executeHTTPGraphQLRequest({
        context: thunk,
        httpGraphQLRequest: {
          method: context.method,
          headers,
          search: context.search,
          body: bodyOf(context),
        },
      });
    },
    async stop(): Promise<void> {
      if (started) await (await started).server.stop();
    },
  };
}

export type Apollo = ReturnType<typeof createApollo>;
