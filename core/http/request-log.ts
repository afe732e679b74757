import type { Context } from 'koa';
import { TapError } from '../kernel/hook-bag';
import type { Logger } from '../kernel/logger';

/** The path alone: query strings may hold what nobody else should read. */
const about = ({ req, state }: Context) => {
  const url = req.url ?? '';
  const end = url.indexOf('?');
  return { requestId: state.requestId as string, method: req.method, path: end < 0 ? url : url.slice(0, end) };
};

/** One line per request: at `info` when asked for, else at `debug`, else none that would have to be put together. */
export function createRequestLog(log: Logger, asked: boolean): ((context: Context, start: number) => void) | undefined {
  const written = ['trace', 'debug', ...(asked ? ['info'] : []), undefined];
  if (!written.includes(log.level)) return undefined;
  const write = asked ? log.info.bind(log) : log.debug.bind(log);
  return (context, start) => {
    const fields = {
      ...about(context),
      status: context.res.statusCode,
      ms: Math.round((performance.now() - start) * 100) / 100,
    };
    write(fields, 'request');
  };
}

/** The request itself is destroyed as soon as its body was read, so it is the connection that tells. */
const isGone = ({ req }: Context): boolean => req.socket?.destroyed === true;

/**
 * Failures that are ours, in the log of the plugin in which they happened, with the hook; a client that went away is none. Not
 * with its name beside that of this log: readers of lines refuse those that name a thing twice.
 */
export function createFailureLog(
  own: Logger,
  logOf: (plugin: string) => Logger,
): (context: Context, error: unknown, unexpected: boolean) => void {
  return (context, error, unexpected) => {
    const isOfTap = error instanceof TapError;
    const log = isOfTap ? logOf(error.plugin) : own;
    const fields = { ...about(context), ...(isOfTap && { hook: error.hook }), err: error };
    if (isGone(context)) log.debug(fields, 'the client went away');
    else if (unexpected) log.error(fields, 'a request failed unexpectedly');
    else log.warn(fields, 'a request could not be served');
  };
}
