import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { madeOf } from '../../lasting-bytes';
import type { MiddlewareMaker } from '../middleware';

const options = z.strictObject({ enabled: z.boolean().default(true) });

/**
 * A checksum with the length: far cheaper than a digest, and the tag needs to be no secret. It is weak, because the
 * same answer may be sent with and without compression.
 */
const tagOf = (body: string | Buffer): string => `W/"${body.length.toString(36)}-${crc32(body).toString(36)}"`;

/** Tags answers to GET and HEAD, and spares sending what the client has already. */
export const etag: MiddlewareMaker = {
  options,
  global: true,
  make(given) {
    if (!(given as z.infer<typeof options>).enabled) return (_context, next) => next();
    return async (context, next) => {
      await next();
      const { req, res, response } = context;
      const { body } = response;
      if ((req.method !== 'GET' && req.method !== 'HEAD') || res.statusCode !== 200) return;
      if (typeof body !== 'string' && !Buffer.isBuffer(body)) return;
      if (!res.hasHeader('ETag'))
        res.setHeader('ETag', typeof body === 'string' ? tagOf(body) : madeOf(body, 'etag', () => tagOf(body)));
      if (req.headers['if-none-match'] === undefined) return;
      // Of both conditions the tag counts alone (RFC 9110, 13.1.3).
      delete req.headers['if-modified-since'];
      if (context.fresh) context.status = 304;
    };
  },
};
