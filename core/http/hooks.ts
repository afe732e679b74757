import type { Context } from 'koa';
import { AsyncSeriesBailHook, SyncHook, SyncWaterfallHook } from 'tapable';
import type { Registry } from '../kernel/registry';
import type { AccessRequest, Principal } from './access';
import type { ErrorAnswer } from './error-answer';
import type { MiddlewareMaker } from './middleware';
import type { Policy } from './policy';
import type { Routes } from './route';

/** The way of a request, from the socket to a route's handler and back. */
export const httpHooks = () =>
  Object.freeze({
    /** To register policies by name, for routes to refer to. */
    policies: new SyncHook<[policies: Registry<Policy>]>(['policies']),
    /** To register middlewares by name, for routes and `config/middlewares` to refer to. */
    middlewares: new SyncHook<[middlewares: Registry<MiddlewareMaker>]>(['middlewares']),
    /** To register routes. */
    routes: new SyncHook<[routes: Routes]>(['routes']),
    /** For a request to a known route: says who is asking, or throws UnauthorizedError. Nobody knowing means public. */
    authenticate: new AsyncSeriesBailHook<[context: Context], Principal | undefined>(['context']),
    /** Says whether a principal may do something. No answer means no. */
    authorize: new AsyncSeriesBailHook<[request: AccessRequest], boolean | undefined>(['request']),
    /** Asked by `/_ready`: why the application can't serve just now, or nothing. */
    readiness: new AsyncSeriesBailHook<[], string | undefined>([]),
    /** The answer to a failed request before it is sent. */
    error: new SyncWaterfallHook<[answer: ErrorAnswer, error: unknown]>(['answer', 'error']),
  });

export type HttpHooks = ReturnType<typeof httpHooks>;

declare module '../types' {
  interface HookBags {
    http: HttpHooks;
  }
}
