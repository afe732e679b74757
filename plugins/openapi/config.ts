import { z } from 'zod';

/** The `config` of this plugin in `config/plugins`. */
export const openapiOptions = z.strictObject({
  /** Whether everybody may read the description; unless given, outside production. */
  public: z.boolean().optional(),
  /** Whether there is a page to browse it; unless given, outside production. */
  page: z.boolean().optional(),
  info: z
    .strictObject({
      title: z.string().min(1).default('API'),
      version: z.string().min(1).default('1.0.0'),
      description: z.string().optional(),
    })
    .prefault({}),
});

export type OpenapiOptions = z.infer<typeof openapiOptions>;

declare module '../../core/types' {
  interface PluginOptions {
    openapi: OpenapiOptions;
  }
}
