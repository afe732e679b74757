import type { Context, Middleware } from 'koa';

export type Step = (context: Context) => unknown;

/** One function out of middlewares around a last step, put together once instead of at every request. */
export const compose = (middlewares: readonly Middleware[], last: Step): Step =>
  middlewares.reduceRight<Step>(
    (next, middleware) => (context) => middleware(context, async () => next(context)),
    last,
  );
