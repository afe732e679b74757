import type { Context } from 'koa';
import { z } from 'zod';
import type { MiddlewareMaker } from '../middleware';

type OriginFunction = (
  context: Context,
) => string | readonly string[] | undefined | Promise<string | readonly string[] | undefined>;

const words = (preset: readonly string[]) => z.union([z.string(), z.array(z.string())]).default([...preset]);

const options = z.strictObject({
  enabled: z.boolean().default(true),
  /** Origins that may read answers: `*`, a list, or a function of the context that returns one of both. */
  origin: z
    .union([
      z.string(),
      z.array(z.string()),
      z.custom<OriginFunction>((value) => typeof value === 'function', 'function'),
    ])
    .default('*'),
  credentials: z.boolean().default(true),
  methods: words(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']),
  headers: words(['Content-Type', 'Authorization', 'Origin', 'Accept']),
  expose: words([]),
  maxAge: z.union([z.int(), z.string().regex(/^\d+$/)]).default(31_536_000),
  keepHeadersOnError: z.boolean().optional(),
  keepHeaderOnError: z.boolean().optional(),
  privateNetworkAccess: z.literal(false).optional(),
});

type Options = z.infer<typeof options>;

const listOf = (given: string | readonly string[] | undefined): string[] =>
  typeof given === 'string'
    ? given
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean)
    : [...(given ?? [])];

const isPreflight = ({ req }: Context): boolean =>
  req.method === 'OPTIONS' &&
  req.headers.origin !== undefined &&
  req.headers['access-control-request-method'] !== undefined;

/**
 * What is allowed to everyone is allowed without credentials; credentials go to origins that are listed. An origin is
 * never let in for the mere reason that it asks.
 */
function allowance(
  allowed: readonly string[],
  origin: string | undefined,
  credentials: boolean,
): Record<string, string> {
  if (origin !== undefined && allowed.includes(origin)) {
    return {
      'Access-Control-Allow-Origin': origin,
      ...(credentials && { 'Access-Control-Allow-Credentials': 'true' }),
    };
  }
  return allowed.includes('*') ? { 'Access-Control-Allow-Origin': '*' } : {};
}

export const cors: MiddlewareMaker = {
  options,
  make(given) {
    const { enabled, origin, credentials, methods, headers, expose, maxAge } = given as Options;
    if (!enabled) return (_context, next) => next();
    const fixed = typeof origin === 'function' ? undefined : listOf(origin);
    const anyone = fixed?.length === 1 && fixed[0] === '*';
    const exposed = listOf(expose).join(',');
    const preflight: readonly (readonly [string, string])[] = [
      ['Access-Control-Max-Age', String(maxAge)],
      ['Access-Control-Allow-Methods', listOf(methods).join(',')],
      ['Access-Control-Allow-Headers', listOf(headers).join(',')],
    ];

    return async (context, next) => {
      const { req, res } = context;
      if (anyone) {
        res.setHeader('Access-Control-Allow-Origin', '*');
      } else {
        const allowed = fixed ?? listOf(await (origin as OriginFunction)(context));
        context.vary('Origin');
        for (const [name, value] of Object.entries(allowance(allowed, req.headers.origin, credentials)))
          res.setHeader(name, value);
      }
      if (!isPreflight(context)) {
        if (exposed) res.setHeader('Access-Control-Expose-Headers', exposed);
        return next();
      }
      if (res.hasHeader('Access-Control-Allow-Origin'))
        for (const [name, value] of preflight) res.setHeader(name, value);
      context.status = 204;
    };
  },
};
