import type { Context } from 'koa';
import type { MiddlewareUse } from './middleware';
import type { PolicyUse } from './policy';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Route {
  readonly method: Method;
  /** `/articles/:documentId`; parameters arrive in `context.params`. */
  readonly path: string;
  /** The action that `http.authorize` is asked about, or several that are all needed, or `open` for everyone. */
  readonly access: { readonly action: string } | { readonly scope: readonly string[] } | 'open';
  /** How the request's body is read, for `bodyOf` to tell: not at all, unless said. */
  readonly body?: 'json';
  readonly policies?: readonly PolicyUse[];
  readonly middlewares?: readonly MiddlewareUse[];
  handle(context: Context): void | Promise<void>;
}

export interface Routes {
  /** Adds a route; two routes over one method and path are an error that names both plugins. */
  add(route: Route): void;
}

/** What somebody must be allowed to use a route. */
export function actionsFor({ access }: Pick<Route, 'access'>): readonly string[] {
  if (access === 'open') return [];
  return 'scope' in access ? access.scope : [access.action];
}

/** What a request has in its body, where its route has that read; undefined for a body that is neither JSON nor a form without files. */
export const bodyOf = ({ request }: Pick<Context, 'request'>): unknown => (request as { body?: unknown }).body;
