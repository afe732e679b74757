import type { Context, Middleware } from 'koa';
import { HeddleError, type Logger } from '../../../core';
import { clientAddress } from './client-address';
import { type Counters, memoryCounters, redisCounters } from './counters';
import type { RateLimitOptions } from './options';

export interface RateLimit {
  readonly middleware: Middleware;
  /** Counts one use of a route that is reached by another way, and refuses it likewise. */
  count(context: Context, route: string): Promise<void>;
  close(): Promise<void>;
}

/** For routes to name it. */
export const rateLimitName = 'users-permissions::rate-limit';

/** Told where everybody is believed about where they come from. */
export const unlistedProxies =
  'config/server proxy believes everybody: whoever reaches the service past the proxy can evade the rate limit. List the addresses of the proxies instead.';

const tooMany = (): HeddleError => new HeddleError('RateLimitError', 'Too many requests, please try again later.', {});

/**
 * The path as the router finds it: no spelling, slash or parameter makes another one of it. With parameters told apart,
 * somebody could fill the memory with them, until older counts are forgotten.
 */
function pathOf({ path, params }: Context): string {
  const parameters = new Set(Object.values(params as Record<string, string>).map((value) => value.toLowerCase()));
  // Parted before it is decoded, as the router does: a parameter may hold a slash.
  return path
    .split('/')
    .filter((part) => part !== '')
    .map((part) => decodeURIComponent(part).toLowerCase())
    .map((part) => (parameters.has(part) ? ':' : part))
    .join('/');
}

const pass: Middleware = (_context, next) => next();

/** Counts the uses of a route by path and address, whatever their bodies say, and refuses those beyond `max`. */
export function createRateLimit(options: RateLimitOptions, log: Logger): RateLimit {
  if (!options.enabled) return { middleware: pass, count: async () => undefined, close: async () => undefined };
  const { max, redis } = options;
  let counters: Counters | undefined;
  // Made when first needed: an application that is only looked at connects to nothing.
  const countersOnce = (): Counters => {
    counters ??= redis === undefined ? memoryCounters(options) : redisCounters({ ...options, redis }, log);
    return counters;
  };
  async function count(context: Context, route: string): Promise<void> {
    const { isOver, remaining, milliseconds } = await countersOnce().use(`${route} ${clientAddress(context)}`);
    context.set('X-RateLimit-Limit', String(max));
    context.set('X-RateLimit-Remaining', String(remaining));
    context.set('X-RateLimit-Reset', String(Math.ceil((Date.now() + milliseconds) / 1000)));
    if (isOver) {
      context.set('Retry-After', String(Math.max(1, Math.ceil(milliseconds / 1000))));
      throw tooMany();
    }
  }

  return {
    async middleware(context, next) {
      // The same route answers both.
      const method = context.method === 'HEAD' ? 'GET' : context.method;
      await count(context, `${method} ${pathOf(context)}`);
      await next();
    },
    count,
    close: async () => counters?.close(),
  };
}
