import { z } from 'zod';
import type { Policy } from '../../core';

/** The part of `config/api` that shapes the REST interface. */
export const apiKeys = {
  rest: z
    .strictObject({
      prefix: z
        .string()
        .regex(/^(\/[\w.~-]+)*$/, 'is no path such as /api')
        .default('/api'),
      defaultLimit: z.int().min(1).default(25),
      maxLimit: z.int().min(1).optional(),
      withCount: z.boolean().default(true),
    })
    .prefault({}),
  responses: z.strictObject({ privateAttributes: z.array(z.string()).default([]) }).prefault({}),
};

export type ApiConfig = { [Key in keyof typeof apiKeys]: z.infer<(typeof apiKeys)[Key]> };

/** Where routes begin, those of plugins that go without this one, too. */
export const restPrefix = ({ api }: { readonly api?: ApiConfig }): string => api?.rest.prefix ?? '/api';

const use = z.union([z.string(), z.strictObject({ name: z.string(), config: z.unknown().optional() })]);
const policyUse = z.union([use, z.custom<Policy>((value) => typeof value === 'function', 'function')]);

/** What a route differs in: who may use it, and what is around its handler. */
const routeOptions = z.strictObject({
  /** Open to everyone, or to who may do all these actions; unless given, to who may do the action itself. */
  auth: z.union([z.literal(false), z.strictObject({ scope: z.array(z.string()).min(1) })]).optional(),
  policies: z.array(policyUse).optional(),
  middlewares: z.array(use).optional(),
});

export type RouteOptions = z.infer<typeof routeOptions>;

/** Which routes a type has: all, none, those of the named actions, or all with what the named ones differ in. */
const routesOfType = z.union([
  z.boolean(),
  z.array(z.string()),
  z.record(z.string(), z.union([z.boolean(), routeOptions])),
]);

export const restOptions = z.strictObject({ routes: z.record(z.string(), routesOfType).default({}) });

export type RestOptions = z.infer<typeof restOptions>;

declare module '../../core/types' {
  interface ConfigSections {
    api: ApiConfig;
  }
  interface PluginOptions {
    rest: RestOptions;
  }
}
