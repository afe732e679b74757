import { type Problem, problem } from '../kernel/problems';
import { methods, type RegisteredRoute } from './router';

/** What is wrong with a path, and what to do; the router would take it for something else, or for what nobody asks for. */
function pathFault(path: string): [what: string, remedy: string] | undefined {
  if (!path.startsWith('/')) return ['has a path that does not start with "/".', 'Begin it with "/".'];
  // Two colons are one that begins no parameter; what stands in parentheses is an expression.
  const plain = path.replaceAll('::', '').replace(/\((?:[^()]|\([^()]*\))*\)/g, '');
  const names: readonly string[] = plain.match(/:\w+/g) ?? [];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (/[()]/.test(plain)) return ['has a parenthesis in its path that is not closed.', 'Close it.'];
  if (/\*./.test(plain)) return ['has "*" before the end of its path.', 'Name a parameter there, as in "/notes/:id".'];
  if (/\s/.test(plain)) return ['has blanks in its path.', 'Remove them.'];
  if (plain.includes('//')) return ['has an empty part in its path.', 'Write one "/" between its parts.'];
  if (/[{}<>]/.test(plain)) return ['has brackets in its path.', 'Write a parameter as in "/notes/:id".'];
  if (/:(?!\w)/.test(plain)) return ['has a parameter without a name.', 'Write one as in "/notes/:id".'];
  if (/[?#]/.test(plain.replace(/(:\w+)\?$/, '$1')))
    return ['has "?" or "#" in its path, where no request has any.', 'Remove it and what follows.'];
  return twice ? [`has two parameters called "${twice.slice(1)}".`, 'Rename one of the two.'] : undefined;
}

function saysWhoMayUseIt({ access }: RegisteredRoute): boolean {
  if (access === 'open') return true;
  const { action, scope } = (access ?? {}) as { action?: unknown; scope?: unknown };
  const named = action === undefined ? scope : [action];
  return Array.isArray(named) && named.length > 0 && named.every((each) => typeof each === 'string');
}

function faultOf(route: RegisteredRoute): [what: string, remedy: string] | undefined {
  if (!methods.includes(route.method)) return ['has no method that can be asked.', `Use ${methods.join(', ')}.`];
  if (typeof route.path !== 'string') return ['has no path.', 'Give it one, as "/notes/:id".'];
  const fault = pathFault(route.path);
  if (fault) return fault;
  if (typeof route.handle !== 'function') return ['has no handle.', 'Give it a function that answers.'];
  if (saysWhoMayUseIt(route)) return undefined;
  return ['does not say who may use it.', `Give it access: 'open', { action } or { scope }.`];
}

/** Mistakes of a route that the compiler can't see. */
export function routeProblems(route: RegisteredRoute): Problem[] {
  const [what, remedy] = faultOf(route) ?? [];
  return what && remedy
    ? [problem(`route ${route.method} ${route.path} of plugin "${route.plugin}"`, what, remedy)]
    : [];
}
