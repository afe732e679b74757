import type { Middleware } from 'koa';
import type { ZodType } from 'zod';
import type { Refusal } from '../kernel/registry';
import { isSchema, noSchema } from '../kernel/schema-problems';

/** Makes a middleware out of the options that its user gave. */
export interface MiddlewareMaker {
  make(options: unknown): Middleware;
  /** Checks the options before `make` gets them. */
  readonly options?: ZodType;
  /** Put around every request, without being listed in `config/middlewares`. */
  readonly global?: boolean;
  readonly after?: readonly string[];
  readonly before?: readonly string[];
}

/** A middleware on a route or in `config/middlewares`: by name, or by name with options. */
export type MiddlewareUse = string | { readonly name: string; readonly config?: unknown };

export const refusedMaker: Refusal = (value) => {
  const { make, options } = (value ?? {}) as Partial<MiddlewareMaker>;
  if (typeof make !== 'function')
    return {
      what: 'is no maker of a middleware.',
      remedy: 'Write it as { make: (options) => (context, next) => next() }.',
    };
  return options === undefined || isSchema(options) ? undefined : noSchema('');
};
