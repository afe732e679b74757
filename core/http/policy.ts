import type { Context } from 'koa';
import type { Refusal } from '../kernel/registry';

/** Lets a request through, or not: `false` answers 403, a thrown HeddleError answers for itself. */
export type Policy = (context: Context, config: unknown) => boolean | Promise<boolean>;

/** A policy on a route: by name, by name with its configuration, or the function itself. */
export type PolicyUse = string | { readonly name: string; readonly config?: unknown } | Policy;

export const refusedPolicy: Refusal = (value) =>
  typeof value === 'function'
    ? undefined
    : { what: 'is no function.', remedy: 'Write it as (context, config) => true or false.' };
