import type { Middleware } from 'koa';
import { interpreted } from '../kernel/interpreted';
import { inOrder } from '../kernel/order';
import { type Problem, problem } from '../kernel/problems';
import type { Registry } from '../kernel/registry';
import { schemaProblems } from '../kernel/schema-problems';
import { didYouMean } from '../kernel/suggest';
import type { MiddlewareMaker } from './middleware';
import { inert, settings } from './middlewares/built-in';
import {
  type ListedMiddleware,
  listedMiddlewares,
  type MiddlewaresConfig,
  where,
  withoutKeys,
} from './settings/middleware-list';

export interface GlobalMiddlewares {
  middlewares: Middleware[];
  /** Their names, outermost first. */
  names: string[];
  problems: Problem[];
  notices: string[];
}

/** Middlewares of an existing project: its own, those of its APIs, those of its plugins. */
const isCustom = (entry: ListedMiddleware): boolean =>
  entry.resolve !== undefined || /^(global|api|plugin)::/.test(entry.name);

interface Use {
  name: string;
  maker: MiddlewareMaker;
  options: unknown;
  before?: readonly string[];
  after?: readonly string[];
}

const useOf = (name: string, maker: MiddlewareMaker, options: unknown): Use => ({
  name,
  maker,
  options,
  before: maker.before,
  after: maker.after,
});

function checkSettings(entry: ListedMiddleware, found: GlobalMiddlewares): void {
  const { options, inert: inertKeys } = settings[entry.name]!;
  const { rest, left } = withoutKeys(entry.config ?? {}, inertKeys);
  found.notices.push(...left.map((key) => `${where} ${entry.written} ${key} is without effect: it is fixed here.`));
  found.problems.push(...schemaProblems(options, rest, where, `${entry.at}.config`).problems);
}

function take(entry: ListedMiddleware, registry: Registry<MiddlewareMaker>, found: GlobalMiddlewares): Use[] {
  const maker = registry.get(entry.name);
  if (maker && !entry.resolve) {
    if (!maker.options) return [useOf(entry.name, maker, entry.config)];
    const { value, problems } = schemaProblems(maker.options, entry.config ?? {}, where, `${entry.at}.config`);
    found.problems.push(...problems);
    return problems.length > 0 ? [] : [useOf(entry.name, maker, value)];
  }
  if (Object.hasOwn(settings, entry.name)) checkSettings(entry, found);
  else if (Object.hasOwn(inert, entry.name))
    found.notices.push(`${where} ${entry.written} is without effect: ${inert[entry.name]}`);
  else if (isCustom(entry))
    found.notices.push(
      `${where} ${entry.resolve ?? entry.written} is without effect: middlewares of the project are not run; a plugin can register them.`,
    );
  else {
    const meant = entry.name.includes('::') ? entry.name : `heddle::${entry.name}`;
    const known = [...registry.names(), ...Object.keys(settings), ...Object.keys(inert)];
    found.problems.push(
      problem(where, `"${entry.written}" is no known middleware.`, `Remove it.${didYouMean(meant, known)}`, entry.at),
    );
  }
  return [];
}

function withoutRepeats(entries: readonly ListedMiddleware[], found: GlobalMiddlewares): ListedMiddleware[] {
  return entries.filter((entry, index) => {
    const first = entries.findIndex(({ name, resolve }) => name === entry.name && resolve === entry.resolve);
    if (first !== index)
      found.problems.push(problem(where, `"${entry.written}" is listed twice.`, 'Keep one of the two.', entry.at));
    return first === index;
  });
}

/** The middlewares around every request: as listed, then those that plugins put there; `before` and `after` decide last. */
export function globalMiddlewares(config: MiddlewaresConfig, registry: Registry<MiddlewareMaker>): GlobalMiddlewares {
  const { entries, problems } = listedMiddlewares(config);
  const found: GlobalMiddlewares = { middlewares: [], names: [], problems, notices: [] };
  const listed = withoutRepeats(entries, found);
  const uses = listed.flatMap((entry) => take(entry, registry, found));
  for (const [name, maker] of registry.entries()) {
    if (maker.global && !listed.some((entry) => entry.name === name))
      uses.push(useOf(name, maker, maker.options?.parse({}, interpreted)));
  }
  const ordered = inOrder(uses, 'middleware');
  if (found.problems.length > 0) return found;
  found.names = ordered.map(({ name }) => name);
  found.middlewares = ordered.map(({ maker, options }) => maker.make(options));
  return found;
}
