import { z } from 'zod';

/** `redis://host:6379`, or the options of ioredis. */
const redis = z.union([z.url({ protocol: /^rediss?$/ }), z.looseObject({ host: z.string() })]);

const limits = z.strictObject({
  /** Where several processes tell each other what happened; in this process alone without. */
  redis: redis.optional(),
  maxConnections: z.int().min(1).default(1_000),
  maxPerConnection: z.int().min(1).default(20),
  /** Events that wait for one slow subscriber; with one more, it is dropped. */
  maxWaiting: z.int().min(1).default(100),
  /** Milliseconds between signs of life, and between looks at whether subscribers may still know. */
  keepAlive: z.int().min(100).default(12_000),
});

export const subscriptionOptions = z
  .union([z.boolean(), limits])
  .default(false)
  .transform((given) => (given === true ? limits.parse({}) : given));

export type SubscriptionOptions = z.infer<typeof limits>;
