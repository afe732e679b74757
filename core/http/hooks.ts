import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Context } from 'koa';
import { AsyncSeriesBailHook, SyncBailHook, SyncHook, SyncWaterfallHook } from 'tapable';
import type { Registry } from '../kernel/registry';
import type { AccessRequest, Principal } from './access';
import type { ErrorAnswer } from './error-answer';
import type { MiddlewareMaker } from './middleware';
import type { Policy } from './policy';
import type { Routes } from './route';
import type { RegisteredRoute } from './router';

/** The way of a request, from the socket to a route's handler and back. */
export const httpHooks = () =>
  Object.freeze({
    /** To register policies by name, for routes to refer to. */
    policies: new SyncHook<[policies: Registry<Policy>]>(['policies']),
    /** To register middlewares by name, for routes and `config/middlewares` to refer to. */
    middlewares: new SyncHook<[middlewares: Registry<MiddlewareMaker>]>(['middlewares']),
    /** To register routes. */
    routes: new SyncHook<[routes: Routes]>(['routes']),
    /** With all routes, once they are known. */
    routesReady: new SyncHook<[routes: readonly RegisteredRoute[]]>(['routes']),
    /** For a request to a known route: says who is asking, or throws UnauthorizedError. Nobody knowing means public. */
    authenticate: new AsyncSeriesBailHook<[context: Context], Principal | undefined>(['context']),
    /**
     * Says whether a principal may do something. No answer means no. Which types' documents a caller may read, in answers and in what
     * bodies name, is asked once for all who have the same `rights`: so who decides by anything else gives principals `rights` that tell
     * it.
     */
    authorize: new AsyncSeriesBailHook<[request: AccessRequest], boolean | undefined>(['request']),
    /** Asked by `/_ready`: why the application can't serve just now, or nothing. */
    readiness: new AsyncSeriesBailHook<[], string | undefined>([]),
    /** For a connection that asks to go on in another protocol, such as WebSocket: who takes it says true. */
    upgrade: new SyncBailHook<[request: IncomingMessage, socket: Duplex, head: Buffer], true | undefined>([
      'request',
      'socket',
      'head',
    ]),
    /** When the application begins to shut down: answers that go on and on must come to their end. */
    draining: new SyncHook<[]>([]),
    /** The answer to a failed request before it is sent. */
    error: new SyncWaterfallHook<[answer: ErrorAnswer, error: unknown]>(['answer', 'error']),
  });

export type HttpHooks = ReturnType<typeof httpHooks>;

declare module '../types' {
  interface HookBags {
    http: HttpHooks;
  }
}
