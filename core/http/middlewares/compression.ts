import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { z } from 'zod';
import { madeOf } from '../../lasting-bytes';
import type { MiddlewareMaker } from '../middleware';

const options = z.strictObject({
  enabled: z.boolean().default(true),
  /** Bytes from which a body is worth compressing. */
  threshold: z.int().min(0).default(1024),
  br: z.union([z.boolean(), z.looseObject({})]).default(true),
  /** What existing projects tune further; the encoders' settings are ours. */
  gzip: z.unknown().optional(),
  deflate: z.unknown().optional(),
  filter: z.unknown().optional(),
  defaultEncoding: z.unknown().optional(),
});

type Encoding = 'br' | 'gzip';

const compressible = /^(text\/|application\/([\w.+-]*\+)?(json|xml|javascript)|image\/svg)/;

/** Quality 4 compresses JSON better than gzip does, in less time. */
const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);
const shrink: Readonly<Record<Encoding, (body: string | Buffer) => Promise<Buffer>>> = {
  br: (body) => brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (body) => deflate(body),
};

/** The best encoding that an `Accept-Encoding` header allows. */
export function encodingFor(header: string, offered: readonly Encoding[]): Encoding | undefined {
  const weights = new Map<string, number>();
  for (const part of header.split(',')) {
    const [name, ...parameters] = part.trim().toLowerCase().split(';');
    const q = parameters.map((parameter) => /^\s*q=([\d.]+)$/.exec(parameter)?.[1]).find(Boolean);
    weights.set(name!.trim(), q === undefined ? 1 : Number(q));
  }
  const weightOf = (encoding: Encoding): number => weights.get(encoding) ?? weights.get('*') ?? 0;
  const best = offered.reduce((one, other) => (weightOf(other) > weightOf(one) ? other : one));
  return weightOf(best) > 0 ? best : undefined;
}

export const compression: MiddlewareMaker = {
  options,
  global: true,
  before: ['heddle::etag'],
  make(given) {
    const { enabled, threshold, br } = given as z.infer<typeof options>;
    if (!enabled) return (_context, next) => next();
    const offered: Encoding[] = br ? ['br', 'gzip'] : ['gzip'];
    return async (context, next) => {
      await next();
      const { req, res, response } = context;
      const { body } = response;
      if (res.statusCode === 304) return response.vary('Accept-Encoding');
      if ((typeof body !== 'string' && !Buffer.isBuffer(body)) || body.length < threshold) return;
      if (res.hasHeader('Content-Encoding') || !compressible.test(String(res.getHeader('Content-Type')))) return;
      response.vary('Accept-Encoding');
      const accepted = req.headers['accept-encoding'];
      const encoding = typeof accepted === 'string' ? encodingFor(accepted, offered) : undefined;
      if (!encoding) return;
      const packed = await (typeof body === 'string'
        ? shrink[encoding](body)
        : madeOf(body, encoding, () => shrink[encoding](body)));
      res.setHeader('Content-Encoding', encoding);
      response.body = packed;
    };
  },
};
