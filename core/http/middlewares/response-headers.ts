import { z } from 'zod';
import type { MiddlewareMaker } from '../middleware';

const options = z.strictObject({ headers: z.record(z.string(), z.string()).default({}) });

/** The same headers on every answer. */
export const responseHeaders: MiddlewareMaker = {
  options,
  make(given) {
    const headers = Object.entries((given as z.infer<typeof options>).headers);
    return (context, next) => {
      for (const [name, value] of headers) context.res.setHeader(name, value);
      return next();
    };
  },
};
