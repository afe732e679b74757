import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildSchema, type ExecutionArgs, parse } from 'graphql';
import Koa, { type Context } from 'koa';
import { publicPrincipal } from '../../../core';
import { createEventStreams } from './event-stream';
import { createSubscribers } from './subscribers';

/** Never tells anything, and ends when it is told to. */
function silence() {
  let ended = false;
  return {
    isOver: () => ended,
    events: {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<never>(() => undefined),
        return: async () => {
          ended = true;
          return { done: true, value: undefined };
        },
      }),
    },
  };
}

const subscribed = (subscribe: () => unknown): ExecutionArgs => ({
  schema: buildSchema('type Query { a: Int } type Subscription { a: Int }'),
  document: parse('subscription { a }'),
  rootValue: { a: subscribe },
});

const nothing = (): void => undefined;

interface Site {
  readonly places: number;
  prepare(): ExecutionArgs;
  /** What happens to a request before it is answered. */
  before?(context: Context): Promise<unknown>;
}

/** Answers by event streams alone; `free` says how many places are, once what goes on has come to rest. */
async function served({ places, prepare, before }: Site) {
  const options = { maxConnections: places, keepAlive: 60_000 } as never;
  const subscribers = createSubscribers({ options, access: {} as never, authenticate: async () => publicPrincipal });
  const answered = createEventStreams({
    judge: { prepare, format: () => [] },
    subscribers,
    options,
    log: { error: () => undefined } as never,
  });
  const koa = new Koa();
  koa.silent = true;
  let begun = 0;
  koa.use(async (context) => {
    begun += 1;
    await before?.(context);
    await answered(context, publicPrincipal);
  });
  const server = createServer(koa.callback()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    async asked(times = 1): Promise<Socket> {
      const goal = begun + times;
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write('GET / HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n'.repeat(times));
      while (begun < goal) await sleep(5);
      return socket;
    },
    async free(): Promise<number> {
      await sleep(50);
      const added = Array.from({ length: places }, () => subscribers.add({} as never, nothing, nothing));
      const there = added.filter((one) => one !== undefined);
      for (const one of there) one.ended();
      return there.length;
    },
    async stop(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

test('a subscription that fails leaves its place to others', async () => {
  const site = await served({
    places: 1,
    prepare: () => {
      throw new Error('unforeseen');
    },
  });
  const socket = await site.asked();
  expect(await site.free()).toBe(1);
  socket.destroy();
  await site.stop();
});

test('so does a client that has gone before it is listened to', async () => {
  const site = await served({
    places: 1,
    prepare: () => subscribed(() => silence().events),
    before: ({ res }) => once(res, 'close'),
  });
  (await site.asked()).destroy();
  expect(await site.free()).toBe(1);
  await site.stop();
});

test('and one that goes while it is being subscribed: nobody waits for events on its behalf', async () => {
  const { events, isOver } = silence();
  let subscribe: (() => void) | undefined;
  const site = await served({
    places: 1,
    prepare: () => subscribed(() => new Promise((resolve) => (subscribe = () => resolve(events)))),
  });
  const socket = await site.asked();
  while (!subscribe) await sleep(5);
  socket.destroy();
  await sleep(50);
  subscribe();
  expect(await site.free()).toBe(1);
  expect(isOver()).toBe(true);
  await site.stop();
});

test('and those that wait behind another on one connection', async () => {
  const site = await served({ places: 3, prepare: () => subscribed(() => silence().events) });
  const socket = await site.asked(3);
  expect(await site.free()).toBe(0);
  socket.destroy();
  expect(await site.free()).toBe(3);
  await site.stop();
});
