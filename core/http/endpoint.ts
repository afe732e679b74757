import type { Context, Middleware } from 'koa';
import { forbidden } from '../errors';
import { isTapped, TapError } from '../kernel/hook-bag';
import { refuseIfAny } from '../kernel/problems';
import type { Registry } from '../kernel/registry';
import { schemaProblems } from '../kernel/schema-problems';
import { publicPrincipal } from './access';
import { compose, type Step } from './compose';
import { answerTo } from './error-answer';
import type { HttpHooks } from './hooks';
import type { MiddlewareMaker, MiddlewareUse } from './middleware';
import type { Policy, PolicyUse } from './policy';
import { actionsFor } from './route';
import type { RegisteredRoute } from './router';

export interface EndpointParts {
  readonly hooks: HttpHooks;
  readonly policies: Registry<Policy>;
  readonly middlewares: Registry<MiddlewareMaker>;
  /** Reads a request's body. */
  readonly body: () => Middleware;
}

type Gate = (...args: Parameters<Step>) => boolean | Promise<boolean>;

function gateOf(use: PolicyUse, asker: string, policies: Registry<Policy>): Gate {
  if (typeof use === 'function') return (context) => use(context, undefined);
  const { name, config } = typeof use === 'string' ? { name: use, config: undefined } : use;
  const policy = policies.require(name, asker);
  return (context) => policy(context, config);
}

function middlewareOf(use: MiddlewareUse, asker: string, middlewares: Registry<MiddlewareMaker>): Middleware {
  const { name, config } = typeof use === 'string' ? { name: use, config: undefined } : use;
  const maker = middlewares.require(name, asker);
  if (!maker.options) return maker.make(config);
  const { value, problems } = schemaProblems(maker.options, config ?? {}, asker, name);
  refuseIfAny(problems);
  return maker.make(value);
}

/** All that happens to a request between the router and the answer, as one function. */
export function createEndpoint(route: RegisteredRoute, parts: EndpointParts): Step {
  const { hooks } = parts;
  const asker = `route ${route.method} ${route.path} of plugin "${route.plugin}"`;
  const actions = actionsFor(route);
  const gates = (route.policies ?? []).map((use) => gateOf(use, asker, parts.policies));
  const own = (route.middlewares ?? []).map((use) => middlewareOf(use, asker, parts.middlewares));
  const run = compose(route.body === 'json' ? [...own, parts.body()] : own, (context) => route.handle(context));
  const knowsCallers = isTapped(hooks.authenticate);

  async function answer(context: Context): Promise<void> {
    const principal = (knowsCallers ? await hooks.authenticate.promise(context) : undefined) ?? publicPrincipal;
    context.state.principal = principal;
    for (const action of actions)
      if ((await hooks.authorize.promise({ principal, action })) !== true) throw forbidden();
    for (const gate of gates) if ((await gate(context)) !== true) throw forbidden();
    await run(context);
  }

  return async (context) => {
    try {
      await answer(context);
    } catch (error) {
      throw answerTo(error) || error instanceof TapError
        ? error
        : new TapError(route.plugin, `route ${route.method} ${route.path}`, error);
    }
  };
}
