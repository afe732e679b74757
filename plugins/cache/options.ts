import { z } from '../../core';

/** The `config` of this plugin in `config/plugins`. */
export const cacheOptions = z.strictObject({
  /** How much memory answers may take, in bytes. */
  maxBytes: z.int().min(0).default(67_108_864),
  /** Larger answers are not kept, in bytes. */
  maxAnswerBytes: z.int().min(0).default(2_097_152),
  /** Answers are not given once they are this old, in seconds; without it, they are for as long as nothing changes. */
  maxAge: z.number().positive().optional(),
});

export type CacheOptions = z.infer<typeof cacheOptions>;

declare module '../../core/types' {
  interface PluginOptions {
    cache: CacheOptions;
  }
}
