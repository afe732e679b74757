import type { Context } from 'koa';

/** Lets a request through, or not: `false` answers 403, a thrown HeddleError answers for itself. */
export type Policy = (context: Context, config: unknown) => boolean | Promise<boolean>;

/** A policy on a route: by name, by name with its configuration, or the function itself. */
export type PolicyUse = string | { readonly name: string; readonly config?: unknown } | Policy;
