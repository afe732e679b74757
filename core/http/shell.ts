import type { RequestListener } from 'node:http';
import Koa, { type Context } from 'koa';
import { HeddleError, notFound } from '../errors';
import type { Logger } from '../kernel/logger';
import { compose, type Step } from './compose';
import { answerTo, type ErrorAnswer, internalError } from './error-answer';
import type { GlobalMiddlewares } from './global-middlewares';
import type { HttpHooks } from './hooks';
import { createRequestIds } from './request-id';
import { createFailureLog, createRequestLog } from './request-log';
import { leaveHostOut } from './request-target';
import type { Method } from './route';
import type { Router } from './router';
import { withServerTiming } from './server-timing';

/** Where the application stands: requests are served in the middle only. */
export interface Phase {
  current: 'starting' | 'serving' | 'closing';
}

export interface ShellParts {
  readonly hooks: HttpHooks;
  readonly router: Router<Step>;
  readonly middlewares: GlobalMiddlewares['middlewares'];
  readonly log: Logger;
  /** The log of a plugin. */
  readonly logOf: (plugin: string) => Logger;
  /** Whether every request is worth a line at the level `info`. */
  readonly logRequests: boolean;
  /** Whether every answer tells what its time went into. */
  readonly tellTiming: boolean;
  /** Whether `X-Forwarded-…` headers say where a request came from. */
  readonly trustProxies: boolean;
  readonly phase: Phase;
}

const answered: ReadonlySet<string> = new Set<Method>(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

const pathOf = (url: string): string => {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
};

const maliciousPath = (): HeddleError => new HeddleError('BadRequestError', 'Malicious Path');

function answerText(context: Context, status: number, text: string): void {
  context.status = status;
  context.set('Content-Type', 'text/plain; charset=utf-8');
  context.body = text;
}

/** No route: by GET there is nothing, and everything else is not allowed. */
function answerUnmatched(context: Context, path: string, router: Router<Step>): void {
  const { method } = context.req;
  if (method === 'GET' || method === 'HEAD') throw path.startsWith('//') ? maliciousPath() : notFound();
  context.set('Allow', router.allowed(path));
  if (method === 'OPTIONS') answerText(context, 200, '');
  else if (answered.has(method!)) answerText(context, 405, 'Method Not Allowed');
  else answerText(context, 501, 'Not Implemented');
}

const isObject = (body: unknown): body is object => typeof body === 'object' && body !== null;
const isRaw = (body: object): boolean =>
  Buffer.isBuffer(body) || 'pipe' in body || body instanceof Blob || body instanceof ReadableStream;

/** Objects become text here, so that what can't be written fails where errors are answered. */
function writeObject({ res, response }: Context): void {
  const body: unknown = response.body;
  if (!isObject(body) || isRaw(body)) return;
  if (!res.hasHeader('Content-Type')) response.set('Content-Type', 'application/json; charset=utf-8');
  response.body = JSON.stringify(body);
}

const underscore = 95;
const isProbe = (path: string): boolean => /^\/_(health|ready)\/?$/.test(path);

async function answerProbe(context: Context, path: string, { hooks, phase, log }: ShellParts): Promise<void> {
  const alive = path.startsWith('/_health');
  const reason = alive
    ? undefined
    : phase.current === 'serving'
      ? await hooks.readiness.promise()
      : `the application is ${phase.current}`;
  if (reason === undefined) {
    context.status = 204;
    return;
  }
  log.debug({ reason }, 'not ready');
  throw new HeddleError('ServiceUnavailableError', 'Service Unavailable');
}

function createDispatch(parts: ShellParts): Step {
  const { router, phase } = parts;
  return async (context) => {
    const { method, url } = context.req;
    const path = pathOf(url!);
    if (path.charCodeAt(1) === underscore && isProbe(path)) return answerProbe(context, path, parts);
    if (phase.current === 'starting') throw new HeddleError('ServiceUnavailableError', 'Service Unavailable');
    if (path.includes('%00')) throw maliciousPath();
    const match = router.find((method === 'HEAD' ? 'GET' : method) as Method, path);
    if (match === undefined) return answerUnmatched(context, path, router);
    if (match === 'malformed') throw new HeddleError('BadRequestError', 'failed to decode');
    context.params = match.params;
    await match.target(context);
    writeObject(context);
  };
}

/** The listener for an HTTP server: Koa, with everything around a request put together once. */
export function createShell(parts: ShellParts): RequestListener {
  const { hooks, log, phase } = parts;
  const requestId = createRequestIds();
  const logRequest = createRequestLog(log, parts.logRequests);
  const logFailure = createFailureLog(log, parts.logOf);
  const plain = compose(parts.middlewares, createDispatch(parts));
  const run = parts.tellTiming ? withServerTiming(plain) : plain;

  /** An answer that a tap can't make, or that can't be written, is a failure of its own. */
  function writtenAnswer(context: Context, answer: ErrorAnswer, error: unknown): { status: number; text: string } {
    try {
      const { status, body } = hooks.error.call(answer, error);
      return { status, text: JSON.stringify(body) };
    } catch (failure) {
      logFailure(context, failure, true);
      return { status: internalError.status, text: JSON.stringify(internalError.body) };
    }
  }

  function fail(context: Context, error: unknown): void {
    const expected = answerTo(error);
    if (!expected || expected.status >= 500) logFailure(context, error, expected === undefined);
    if (context.headerSent) {
      context.res.destroy();
      return;
    }
    const { status, text } = writtenAnswer(context, expected ?? internalError, error);
    context.remove('ETag');
    context.remove('Content-Encoding');
    context.status = status;
    context.set('Content-Type', 'application/json; charset=utf-8');
    context.body = text;
  }

  const app = new Koa({ proxy: parts.trustProxies });
  app.silent = true;
  app.on('error', (error: Error) => log.debug({ err: error }, 'a connection failed'));
  app.use(async (context) => {
    const start = logRequest ? performance.now() : 0;
    const id = requestId(context.req.headers['x-request-id']);
    context.state.requestId = id;
    context.res.setHeader('X-Request-Id', id);
    try {
      await run(context);
    } catch (error) {
      fail(context, error);
    }
    if (phase.current === 'closing' && !context.headerSent) context.res.setHeader('Connection', 'close');
    logRequest?.(context, start);
  });
  const callback = app.callback();
  return (request, response) => {
    leaveHostOut(request);
    void callback(request, response);
  };
}
