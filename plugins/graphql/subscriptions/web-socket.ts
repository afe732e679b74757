import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ExecutionArgs, GraphQLError } from 'graphql';
import Koa, { type Context } from 'koa';
import { HeddleError, type Logger, type Principal, refuseUpgrade } from '../../../core';
import type { SubscriptionJudge } from './operation';
import type { SubscriptionOptions } from './options';
import type { Subscriber, Subscribers } from './subscribers';

/** The longest message of a client. */
const longestMessage = 262_144;
/** Milliseconds that a client has for its first message. */
const patience = 5_000;

export interface WebSocketParts {
  readonly endpoint: string;
  readonly judge: SubscriptionJudge;
  readonly subscribers: Subscribers;
  readonly options: SubscriptionOptions;
  readonly log: Logger;
}

interface Extra {
  readonly http: Context;
  readonly subscriber: Subscriber;
  principal?: Principal;
}

function keyIn(parameters: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const found = Object.entries(parameters ?? {}).find(([name]) => name.toLowerCase() === 'authorization');
  return typeof found?.[1] === 'string' ? found[1] : undefined;
}

/** Subscriptions over WebSocket, in the protocol of graphql-ws. Loaded when the first client comes. */
export function createWebSockets({ endpoint, judge, subscribers, options, log }: WebSocketParts) {
  const koa = new Koa();

  function start() {
    const { WebSocketServer } = require('ws') as typeof import('ws');
    const { CloseCode, handleProtocols, makeServer } = require('graphql-ws') as typeof import('graphql-ws');
    const server = makeServer<Record<string, unknown>, Extra>({
      connectionInitWaitTimeout: patience,
      async onConnect({ connectionParams, extra }) {
        const key = keyIn(connectionParams);
        if (key !== undefined) extra.http.req.headers.authorization = key;
        try {
          extra.principal = await subscribers.authenticate(extra.http);
          return true;
        } catch (error) {
          if (error instanceof HeddleError) return false;
          throw error;
        }
      },
      onSubscribe({ extra, subscriptions }, _id, payload): ExecutionArgs | readonly GraphQLError[] {
        if (Object.keys(subscriptions).length > options.maxPerConnection)
          return [new GraphQLError(`There are at most ${options.maxPerConnection} subscriptions for one connection.`)];
        return judge.prepare(payload as never, extra.subscriber.context(extra.principal!));
      },
      onNext: (_context, _id, _payload, _args, { errors, ...result }) => ({
        ...result,
        ...(errors && { errors: judge.format(errors) }),
      }),
      onError: (_context, _id, _payload, errors) => judge.format(errors),
    });
    const sockets = new WebSocketServer({ noServer: true, maxPayload: longestMessage, handleProtocols });
    return { server, sockets, goingAway: 1001, failed: CloseCode.InternalServerError };
  }

  let started: ReturnType<typeof start> | undefined;

  return function taken(request: IncomingMessage, duplex: Duplex, head: Buffer): true | undefined {
    const path = (request.url ?? '').split('?')[0]!.replace(/\/$/, '');
    if (path.toLowerCase() !== endpoint.toLowerCase() || request.headers.upgrade?.toLowerCase() !== 'websocket')
      return undefined;
    started ??= start();
    const { server, sockets, goingAway, failed } = started;
    const http = koa.createContext(request, new ServerResponse(request)) as unknown as Context;
    let close = (): void => void duplex.destroy();
    const subscriber = subscribers.add(
      http,
      () => close(),
      () => duplex.destroy(),
    );
    if (!subscriber) {
      refuseUpgrade(duplex, 503);
      return true;
    }
    duplex.once('close', subscriber.ended);
    sockets.handleUpgrade(request, duplex, head, (socket) => {
      close = () => socket.close(goingAway, 'Going away');
      socket.on('error', (error) => log.debug({ err: error }, 'a WebSocket failed'));
      const ended = server.opened(
        {
          protocol: socket.protocol,
          // Told when the network took it, so that a slow client is sent nothing more until then.
          send: (data) => new Promise((resolve) => socket.send(data, () => resolve())),
          close: (code, reason) => socket.close(code, reason),
          onMessage(receive) {
            socket.on('message', (data) => {
              receive(String(data)).catch((error) => {
                log.error({ err: error }, 'a message of a subscriber failed');
                socket.close(failed, 'Internal Server Error');
              });
            });
          },
        },
        { http, subscriber },
      );
      let isAlive = true;
      socket.on('pong', () => {
        isAlive = true;
      });
      const beating = setInterval(() => {
        if (!isAlive) return socket.terminate();
        isAlive = false;
        socket.ping();
      }, options.keepAlive);
      beating.unref();
      socket.once('close', (code, reason) => {
        clearInterval(beating);
        void ended(code, String(reason));
      });
    });
    return true;
  };
}
