import { actionsFor } from '../http/route';
import type { RegisteredRoute } from '../http/router';
import { tapsOf } from '../kernel/hook-bag';
import type { Kernel } from '../kernel/kernel';

export interface ListedRoute {
  readonly method: string;
  readonly path: string;
  readonly plugin: string;
  /** The action that the caller needs, or `open`. */
  readonly access: string;
}

/** What an application consists of, for `doctor`. */
export interface Description {
  /** In the order in which they were applied. */
  readonly plugins: readonly string[];
  /** Hooks that are tapped, with the names of the taps in the order of their calls. */
  readonly hooks: readonly { readonly hook: string; readonly taps: readonly string[] }[];
  readonly services: readonly string[];
  /** The middlewares around every request, outermost first. */
  readonly middlewares: readonly string[];
  readonly routes: readonly ListedRoute[];
  readonly notices: readonly string[];
}

export const listRoutes = (routes: readonly RegisteredRoute[]): ListedRoute[] =>
  routes.map(({ method, path, plugin, access }) => ({
    method,
    path,
    plugin,
    access: access === 'open' ? access : actionsFor({ access }).join(', '),
  }));

export function describe(
  kernel: Kernel,
  routes: readonly RegisteredRoute[],
  middlewares: readonly string[],
): Description {
  const hooks = Object.entries(kernel.hooks).flatMap(([bagName, bag]) =>
    tapsOf(bag)
      .filter(({ taps }) => taps.length > 0)
      .map(({ hook, taps }) => ({ hook: `${bagName}.${hook}`, taps })),
  );
  return {
    plugins: kernel.order,
    hooks,
    services: kernel.services.names(),
    middlewares,
    routes: listRoutes(routes),
    notices: kernel.notices,
  };
}
