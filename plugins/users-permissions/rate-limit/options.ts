import { z } from 'zod';

const unit = z.number().min(0).optional();
const longest = 86_400_000;

/** Milliseconds, or `{ min: 5 }` as existing projects write it. */
const interval = z
  .union([
    z.number(),
    z
      .strictObject({ ms: unit, sec: unit, min: unit, hour: unit, day: unit })
      .transform(
        ({ ms = 0, sec = 0, min = 0, hour = 0, day = 0 }) => ms + 1000 * (sec + 60 * (min + 60 * (hour + 24 * day))),
      ),
  ])
  .refine((time) => time >= 1000 && time <= longest, 'is no span between a second and a day')
  .default(60_000);

/** `redis://host:6379`, or the options of ioredis. */
const redis = z.union([z.url({ protocol: /^rediss?$/ }), z.looseObject({ host: z.string() })]);

/** How often one address may use a route of authentication: `max` times in each `interval`. */
export const rateLimitOptions = z
  .strictObject({
    enabled: z.boolean().default(true),
    interval,
    max: z.int().min(1).default(10),
    /** Where counts are kept that several processes have in common; in memory without. */
    redis: redis.optional(),
    /** Addresses and routes that memory has room for; the oldest are forgotten first. */
    maxKeys: z.int().min(100).default(100_000),
  })
  .prefault({});

export type RateLimitOptions = z.infer<typeof rateLimitOptions>;
