import type { RateLimiterCluster, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { createOutage, isOneOfWorkers, type Logger } from '../../../core';
import type { RateLimitOptions } from './options';

export interface Count {
  /** Whether this use was one too many. */
  readonly isOver: boolean;
  /** Whether it was the first one that counts. */
  readonly isFirst: boolean;
  readonly remaining: number;
  /** Until the count begins anew. */
  readonly milliseconds: number;
}

export interface Counters {
  /** Counts one use. */
  use(key: string): Promise<Count>;
  close(): Promise<void>;
}

type Limiter = RateLimiterCluster | RateLimiterMemory | RateLimiterRedis;

/** Loaded with the first count, not with the application. */
const library = (): typeof import('rate-limiter-flexible') => require('rate-limiter-flexible');

const keyPrefix = 'heddle:rate-limit';

const told = (result: RateLimiterRes, isOver: boolean): Count => ({
  isOver,
  isFirst: result.isFirstInDuration,
  remaining: Math.max(0, result.remainingPoints),
  milliseconds: Math.max(0, result.msBeforeNext),
});

async function consume(limiter: Limiter, key: string): Promise<Count> {
  try {
    return told(await limiter.consume(key), false);
  } catch (error) {
    if (error instanceof library().RateLimiterRes) return told(error, true);
    throw error;
  }
}

const limits = ({ max, interval }: RateLimitOptions) => ({
  keyPrefix,
  points: max,
  duration: Math.ceil(interval / 1000),
});

/** In the primary of several workers: keeps what they count, so that they count together. */
export const carryCounts = (): void => void new (library().RateLimiterClusterMaster)();

/** Counts of this process, or of all workers of one primary, for so many keys at once. */
export function memoryCounters(options: RateLimitOptions): Counters {
  const { RateLimiterCluster, RateLimiterMemory } = library();
  const limiter = new (isOneOfWorkers() ? RateLimiterCluster : RateLimiterMemory)(limits(options));
  /** Oldest first: a key moves to the end when its count begins anew. */
  const keys = new Set<string>();
  return {
    async use(key) {
      if (!keys.has(key) && keys.size >= options.maxKeys) {
        const oldest = keys.values().next().value!;
        keys.delete(oldest);
        await limiter.delete(oldest);
      }
      const count = await consume(limiter, key);
      if (count.isFirst) {
        keys.delete(key);
        keys.add(key);
      }
      return count;
    },
    close: async () => undefined,
  };
}

/** Answers soon or not at all, so that a Redis that is gone holds no request up. */
const patience = {
  lazyConnect: true,
  connectTimeout: 2_000,
  disconnectTimeout: 200,
  commandTimeout: 500,
  // A connection that fell silent is no better than none.
  socketTimeout: 2_000,
  maxRetriesPerRequest: 0,
  enableOfflineQueue: false,
  retryStrategy: (attempt: number) => Math.min(attempt * 200, 5_000),
};

/** Counts that several processes have in common; while Redis is away, each counts for itself. */
export function redisCounters(options: RateLimitOptions & { redis: object | string }, log: Logger): Counters {
  const { Redis } = require('ioredis') as typeof import('ioredis');
  const { redis } = options;
  const client = typeof redis === 'string' ? new Redis(redis, patience) : new Redis({ ...redis, ...patience });
  const shared = new (library().RateLimiterRedis)({
    ...limits(options),
    storeClient: client,
    rejectIfRedisNotReady: true,
  });
  const own = memoryCounters(options);
  const absence = createOutage(
    log,
    'Redis does not count uses for the rate limit; this process counts its own',
    'Redis counts uses for the rate limit again',
  );

  client.on('error', absence.failed);
  client.on('ready', absence.worked);
  const connecting = client.connect().catch(absence.failed);

  return {
    async use(key) {
      await connecting;
      try {
        const count = await consume(shared, key);
        absence.worked();
        return count;
      } catch (error) {
        absence.failed(error);
        return own.use(key);
      }
    },
    async close() {
      await connecting;
      client.disconnect();
    },
  };
}
