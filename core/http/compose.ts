import type { Context, Middleware } from 'koa';

export type Step = (context: Context) => unknown;

type Promised = (context: Context) => Promise<unknown>;

/** Answers the promise of a step as it is: an async function around it would wait three turns for that, at every layer. */
const promised =
  (step: Step): Promised =>
  (context) => {
    try {
      return Promise.resolve(step(context));
    } catch (error) {
      return Promise.reject(error);
    }
  };

/** One function out of middlewares around a last step, put together once instead of at every request. */
export const compose = (middlewares: readonly Middleware[], last: Step): Promised =>
  middlewares.reduceRight<Promised>(
    (next, middleware) => promised((context) => middleware(context, () => next(context))),
    promised(last),
  );
