import type { RequestListener } from 'node:http';
import type { Config } from '../kernel/config';
import type { Kernel } from '../kernel/kernel';
import { ProjectError, refuseIfAny } from '../kernel/problems';
import { createRegistry } from '../kernel/registry';
import { bodyReader } from './body';
import type { Step } from './compose';
import { createEndpoint } from './endpoint';
import { globalMiddlewares } from './global-middlewares';
import { type MiddlewareMaker, refusedMaker } from './middleware';
import { makers } from './middlewares/built-in';
import { type Policy, refusedPolicy } from './policy';
import { believing } from './proxy';
import { routeProblems } from './route-problems';
import { collectRoutes, createRouter, type RegisteredRoute } from './router';
import { bodyLimits } from './settings/body-limits';
import { listedMiddlewares } from './settings/middleware-list';
import { createShell, type Phase } from './shell';

export interface Http {
  readonly handler: RequestListener;
  readonly routes: readonly RegisteredRoute[];
  /** The middlewares around every request, outermost first. */
  readonly middlewares: readonly string[];
}

function collectMiddlewares({ hooks, working }: Kernel) {
  let adding = (): string => 'core';
  const registry = createRegistry<MiddlewareMaker>('middleware', () => adding(), refusedMaker);
  for (const [name, maker] of Object.entries(makers)) registry.add(name, maker);
  adding = working;
  hooks.http.middlewares.call(registry);
  registry.seal();
  return registry;
}

/** Times tell things, and cost a little: only where somebody says that this is development, or asks for them. */
const tellsTiming = (config: Config, { core }: Kernel): boolean =>
  config.server.serverTiming ?? core.app.env['NODE_ENV'] === 'development';

/** Collects what plugins register for requests, and makes one listener of it. Every mistake is told at once. */
export function assembleHttp(kernel: Kernel, config: Config, phase: Phase): Http {
  const hooks = kernel.hooks.http;
  const policies = createRegistry<Policy>('policy', kernel.working, refusedPolicy);
  hooks.policies.call(policies);
  policies.seal();
  const middlewares = collectMiddlewares(kernel);
  const routes = collectRoutes(kernel.working);
  hooks.routes.call(routes);

  const around = globalMiddlewares(config.middlewares, middlewares);
  for (const notice of around.notices) kernel.core.notice(notice);
  const problems = [...around.problems, ...routes.all.flatMap(routeProblems)];
  refuseIfAny(problems);
  const limits = bodyLimits(config);
  const body = () => bodyReader(limits);
  const endpoints = routes.all.flatMap((route): [RegisteredRoute, Step][] => {
    try {
      return [[route, createEndpoint(route, { hooks, policies, middlewares, body })]];
    } catch (error) {
      if (!(error instanceof ProjectError)) throw error;
      problems.push(...error.problems);
      return [];
    }
  });
  refuseIfAny(problems);
  hooks.routesReady.call(routes.all);
  const shell = createShell({
    hooks,
    router: createRouter(endpoints),
    middlewares: around.middlewares,
    log: kernel.core.log,
    logOf: kernel.logOf,
    logRequests: listedMiddlewares(config.middlewares).entries.some(({ name }) => name === 'heddle::logger'),
    tellTiming: tellsTiming(config, kernel),
    trustProxies: config.server.proxy !== false,
    phase,
  });
  return { handler: believing(config.server.proxy, shell), routes: routes.all, middlewares: around.names };
}
