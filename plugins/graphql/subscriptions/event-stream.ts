import { Readable } from 'node:stream';
import { type ExecutionResult, subscribe } from 'graphql';
import type { Context } from 'koa';
import { bodyOf, HeddleError, type Logger, type Principal } from '../../../core';
import type { AskedSubscription, SubscriptionJudge } from './operation';
import type { SubscriptionOptions } from './options';
import type { Subscribers } from './subscribers';

const asksForStream = (context: Context): boolean =>
  /(^|[\s,])text\/event-stream\s*($|[,;])/.test(context.get('accept'));

function askedBy(context: Context): AskedSubscription {
  if (context.method !== 'GET') return (bodyOf(context) ?? {}) as AskedSubscription;
  const searchParams = new URLSearchParams(context.search);
  const variables = searchParams.get('variables');
  let parsed: unknown;
  try {
    parsed = variables === null ? undefined : JSON.parse(variables);
  } catch {
    parsed = variables;
  }
  return {
    query: searchParams.get('query') as string,
    operationName: searchParams.get('operationName'),
    variables: parsed as AskedSubscription['variables'],
  };
}

const message = (event: 'next' | 'complete', data: unknown): string =>
  `event: ${event}\ndata:${data === undefined ? '' : ` ${JSON.stringify(data)}`}\n\n`;

/** A sign of life, which clients leave out. */
const beat = ':\n\n';

const isGone = ({ req, res }: Context): boolean => res.closed || req.socket.destroyed;

/**
 * Acts once when an answer is over. One that waits behind another on the same connection is not told when that ends: the
 * connection is asked, too.
 */
function whenOver({ req, res }: Context, act: () => void): void {
  const { socket } = req;
  function over(): void {
    res.off('close', over);
    socket.off('close', over);
    act();
  }
  res.once('close', over);
  socket.once('close', over);
}

export interface EventStreamParts {
  readonly judge: SubscriptionJudge;
  readonly subscribers: Subscribers;
  readonly options: SubscriptionOptions;
  readonly log: Logger;
}

/**
 * Subscriptions as server-sent events, one connection for each, as graphql-sse's clients know it. Events are taken only
 * as fast as the client reads them.
 */
export function createEventStreams({ judge, subscribers, options, log }: EventStreamParts) {
  const told = ({ errors, ...result }: ExecutionResult): object => ({
    ...result,
    ...(errors && { errors: judge.format(errors) }),
  });

  return async function answered(context: Context, principal: Principal): Promise<boolean> {
    if (!asksForStream(context)) return false;
    if (isGone(context)) return true;
    const stream = new Readable({ read: () => wake?.(), highWaterMark: 16_384 });
    let wake: (() => void) | undefined;
    const subscriber = subscribers.add(
      context,
      () => undefined,
      () => context.res.destroy(),
    );
    if (!subscriber) throw new HeddleError('ServiceUnavailableError', 'There are too many subscribers');
    // Before anything that may fail: a connection that comes to nothing would keep its place.
    whenOver(context, subscriber.ended);

    const write = async (text: string): Promise<void> => {
      if (stream.push(text)) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    };
    const args = judge.prepare(askedBy(context), subscriber.context(principal));
    const result = 'schema' in args ? await subscribe(args) : { errors: args };
    const events = Symbol.asyncIterator in result ? result : undefined;
    if (isGone(context)) {
      void events?.return(undefined);
      return true;
    }

    let beats = 0;
    const beating = setInterval(() => {
      beats = context.res.writableNeedDrain ? beats + 1 : 0;
      // Nothing was read for two beats: nobody is there.
      if (beats > 1) context.res.destroy();
      else if (beats === 0) stream.push(beat);
    }, options.keepAlive);
    beating.unref();

    function end(): void {
      clearInterval(beating);
      wake?.();
      void events?.return(undefined);
    }
    whenOver(context, end);

    async function pump(): Promise<void> {
      await write(beat);
      if (!events) await write(message('next', told(result as ExecutionResult)));
      else for await (const one of events) await write(message('next', told(one)));
      await write(message('complete', undefined));
      stream.push(null);
    }
    pump().catch((error) => {
      log.error({ err: error }, 'an event stream failed');
      context.res.destroy();
    });
    context.type = 'text/event-stream';
    context.set('Cache-Control', 'no-cache, no-transform');
    context.set('X-Accel-Buffering', 'no');
    context.body = stream;
    return true;
  };
}

export type EventStreams = ReturnType<typeof createEventStreams>;
