import createFindMyWay from 'find-my-way';
import { problem, refuseIfAny } from '../kernel/problems';
import type { Method, Route, Routes } from './route';

/** What a route became at start-up: one function for all that happens between the router and the answer. */
export interface Match<T> {
  readonly target: T;
  readonly params: Readonly<Record<string, string | undefined>>;
}

export interface RegisteredRoute extends Route {
  readonly plugin: string;
}

export const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Collects routes while plugins add them; a clash names both plugins. */
export function collectRoutes(whoIsAdding: () => string): Routes & { all: RegisteredRoute[] } {
  const all: RegisteredRoute[] = [];
  const owners = new Map<string, string>();
  return {
    all,
    add(route) {
      const plugin = whoIsAdding();
      const place = `${route.method} ${route.path}`;
      const key = place
        .toLowerCase()
        .replace(/:[^/-]+/g, ':')
        .replace(/(.)\/$/, '$1');
      const other = owners.get(key);
      if (other === plugin)
        refuseIfAny([problem(`route ${place}`, `is added by plugin "${plugin}" twice.`, 'Remove one of the two.')]);
      if (other !== undefined) {
        refuseIfAny([
          problem(
            `route ${place}`,
            `is added by plugin "${other}" and by plugin "${plugin}".`,
            'Switch one of the two off, or give one another path or prefix.',
          ),
        ]);
      }
      owners.set(key, plugin);
      all.push({ ...route, plugin });
    },
  };
}

const nothing = (): undefined => undefined;

/** Finds routes in constant time. Like the answers' contract has it, case and a trailing slash make no difference. */
export function createRouter<T>(routes: Iterable<readonly [RegisteredRoute, T]>) {
  const router = createFindMyWay({
    caseSensitive: false,
    ignoreTrailingSlash: true,
    maxParamLength: 2048,
    onBadUrl: nothing,
    querystringParser: () => ({}),
  });
  for (const [route, target] of routes) {
    try {
      router.on(route.method, route.path, nothing, target);
    } catch (error) {
      refuseIfAny([
        problem(
          `route ${route.method} ${route.path} of plugin "${route.plugin}"`,
          `can't be used: ${(error as Error).message}.`,
          'Correct its path.',
        ),
      ]);
    }
  }

  /** A match, nothing, or `malformed` for a path that can't be decoded. */
  function find(method: Method, path: string): Match<T> | 'malformed' | undefined {
    const found = router.find(method, path);
    if (!found) return undefined;
    return found.store === null ? 'malformed' : { target: found.store as T, params: found.params };
  }

  /** The methods that a path answers. GET and HEAD can always be asked, if only for a 404. */
  const allowed = (path: string): string => {
    const others = methods.filter((method) => method !== 'GET' && typeof find(method, path) === 'object');
    return ['HEAD', 'GET', ...others].join(', ');
  };

  return { find, allowed };
}

export type Router<T> = ReturnType<typeof createRouter<T>>;
