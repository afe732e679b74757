import { createClient as createStreamClient } from 'graphql-sse';
import { type Client, createClient } from 'graphql-ws';
import WebSocket from 'ws';
import type { RawConfig } from '../../../core';
import { fullKey, type UsersApp, usersApp } from '../../users-permissions/app.fixture';
import type { Channel } from './channel';

// For tests: an application with subscriptions that listens on a port, and clients that hear what happens.

/** Told when somebody begins to listen: nothing else says so. */
const mockBegins: (() => void)[] = [];

jest.mock('./channel', () => {
  const actual = jest.requireActual<typeof import('./channel')>('./channel');
  const watched = (channel: Channel): Channel => ({
    ...channel,
    listen(...asked) {
      const stop = channel.listen(...asked);
      for (const begins of mockBegins.splice(0)) begins();
      return stop;
    },
  });
  return Object.fromEntries(
    Object.entries(actual).map(([name, make]) => [
      name,
      (...given: never[]) => watched((make as (...given: never[]) => Channel)(...given)),
    ]),
  );
});

const storyFile = 'src/api/story/content-types/story/schema.json';
const story = {
  kind: 'collectionType',
  info: { singularName: 'story', pluralName: 'stories', displayName: 'Story' },
  options: { draftAndPublish: true },
  attributes: { title: { type: 'string' }, body: { type: 'text' } },
};

// biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it
export type Heard = any;

export interface Subscription {
  stop(): void;
  next(): Promise<Heard>;
}

/** What a subscriber hears, one after the other. */
export function hearing(client: Pick<Client, 'subscribe'>, query: string): Subscription {
  const heard: Heard[] = [];
  const waiting: ((value: Heard) => void)[] = [];
  const tell = (value: Heard): void => {
    const next = waiting.shift();
    if (next) next(value);
    else heard.push(value);
  };
  return {
    stop: client.subscribe({ query }, { next: tell, error: (error) => tell({ error }), complete: () => tell('over') }),
    next: () => (heard.length > 0 ? Promise.resolve(heard.shift()) : new Promise((resolve) => waiting.push(resolve))),
  };
}

/** What a subscriber hears who has begun to listen. */
export async function begun(client: Pick<Client, 'subscribe'>, query: string): Promise<Subscription> {
  const begins = new Promise<void>((resolve) => mockBegins.push(resolve));
  const subscription = hearing(client, query);
  await begins;
  return subscription;
}

export interface Served {
  readonly app: UsersApp;
  readonly url: string;
  client(key?: string): Client;
  /** A client of server-sent events. */
  streamed(key?: string): Client;
  write(method: 'post' | 'put' | 'delete', path: string, data?: object): Promise<Heard>;
  /** The first that a subscriber hears of what is done then. */
  heardOf(query: string, act: () => Promise<unknown>, client?: Client): Promise<Heard>;
  /** Ends what clients began. */
  leave(): Promise<void>;
  remove(): Promise<void>;
}

export async function served(subscriptions: unknown = { keepAlive: 200 }, more: object = {}): Promise<Served> {
  const plugins = { graphql: { config: { subscriptions, ...more } } } as RawConfig;
  const app = await usersApp({ plugins, files: { [storyFile]: story } });
  const { url } = await app.app.listen(0, '127.0.0.1');
  const clients: Pick<Client, 'dispose'>[] = [];
  const kept = <T extends Pick<Client, 'dispose'>>(client: T): T => {
    clients.push(client);
    return client;
  };
  const client = (key?: string): Client =>
    kept(
      createClient({
        url: `${url.replace('http', 'ws')}/graphql`,
        webSocketImpl: WebSocket,
        retryAttempts: 0,
        connectionParams: key === undefined ? {} : { authorization: `Bearer ${key}` },
      }),
    );
  return {
    app,
    url,
    client,
    streamed: (key) =>
      kept(
        createStreamClient({
          url: `${url}/graphql`,
          retryAttempts: 0,
          headers: (key === undefined ? {} : { authorization: `Bearer ${key}` }) as Record<string, string>,
        }) as unknown as Client,
      ),
    async write(method, path, data) {
      const call = app.agent[method](path).set('Authorization', `Bearer ${fullKey}`);
      const { status, body } = await (data ? call.send({ data }) : call);
      expect(status).toBeLessThan(300);
      return body.data;
    },
    async heardOf(query, act, listener = client(fullKey)) {
      const subscription = await begun(listener, query);
      await act();
      const value = await subscription.next();
      subscription.stop();
      return value;
    },
    async leave() {
      for (const one of clients.splice(0)) await one.dispose();
    },
    remove: () => app.remove(),
  };
}
