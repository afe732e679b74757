import { z } from 'zod';

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

/** Which routes a type has: all, none, or those of the named actions. */
const routesOfType = z.union([z.boolean(), z.array(z.string())]);

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
