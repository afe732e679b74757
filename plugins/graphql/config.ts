import { z } from 'zod';
import { subscriptionOptions } from './subscriptions/options';

const isFunction = (value: unknown): value is (...args: never[]) => unknown => typeof value === 'function';

/** The `config` of this plugin in `config/plugins`. */
export const graphqlOptions = z.strictObject({
  endpoint: z
    .string()
    .regex(/^(\/[\w.~-]+)+$/, 'is no path such as /graphql')
    .default('/graphql'),
  shadowCRUD: z.boolean().default(true),
  depthLimit: z.int().min(1).default(10),
  amountLimit: z.int().min(1).default(100),
  groupLimit: z.int().min(1).default(10_000),
  /** The most documents and components that an operation may answer, if each of its pages is full. */
  costLimit: z.int().min(1).optional(),
  defaultLimit: z.int().min(1).default(10),
  /** The most of a page; -1 for as many as `amountLimit` lets through. */
  maxLimit: z.union([z.literal(-1), z.int().min(1)]).default(-1),
  playgroundAlways: z.boolean().default(false),
  landingPage: z
    .union(
      [z.boolean(), z.custom<object>((value) => isFunction(value) || (typeof value === 'object' && value !== null))],
      {
        error: 'must be true, false, a function or a plugin of Apollo Server',
      },
    )
    .optional(),
  subscriptions: subscriptionOptions,
  /** Unless given, the environment variable STRAPI_GRAPHQL_V4_COMPATIBILITY_MODE says it. */
  v4CompatibilityMode: z.boolean().optional(),
  apolloServer: z.record(z.string(), z.unknown()).default({}),
});

export type GraphqlOptions = z.infer<typeof graphqlOptions>;

/** Unless it is given: full lists in full lists, and as much again below them, are let through. */
export const mostCost = ({ costLimit, amountLimit }: Pick<GraphqlOptions, 'costLimit' | 'amountLimit'>): number =>
  costLimit ?? Math.max(200_000, 20 * amountLimit ** 2);

declare module '../../core/types' {
  interface PluginOptions {
    graphql: GraphqlOptions;
  }
}
