import { connect } from 'node:net';
import { createClient as createStreamClient } from 'graphql-sse';
import { type Client, createClient } from 'graphql-ws';
import { Redis } from 'ioredis';
import WebSocket from 'ws';
import type { RawConfig } from '../../../core';
import { ROLES } from '../../users-permissions';
import { fullKey, noteUid, type UsersApp, usersApp } from '../../users-permissions/app.fixture';

jest.setTimeout(120_000);

const articleFile = 'src/api/story/content-types/story/schema.json';
const story = {
  kind: 'collectionType',
  info: { singularName: 'story', pluralName: 'stories', displayName: 'Story' },
  options: { draftAndPublish: true },
  attributes: { title: { type: 'string' }, body: { type: 'text' } },
};

interface Served {
  readonly app: UsersApp;
  readonly url: string;
  client(key?: string): Client;
  remove(): Promise<void>;
}

const clients: Client[] = [];

async function served(subscriptions: unknown = { keepAlive: 200 }): Promise<Served> {
  const plugins = { graphql: { config: { subscriptions } } } as RawConfig;
  const app = await usersApp({ plugins, files: { [articleFile]: story } });
  const { url } = await app.app.listen(0, '127.0.0.1');
  return {
    app,
    url,
    client(key) {
      const made = createClient({
        url: `${url.replace('http', 'ws')}/graphql`,
        webSocketImpl: WebSocket,
        retryAttempts: 0,
        connectionParams: key === undefined ? {} : { authorization: `Bearer ${key}` },
      });
      clients.push(made);
      return made;
    },
    remove: () => app.remove(),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it
type Heard = any;

/** What a subscriber hears, one after the other. */
function hearing(client: Pick<Client, 'subscribe'>, query: string) {
  const heard: Heard[] = [];
  const waiting: ((value: Heard) => void)[] = [];
  const tell = (value: Heard): void => {
    const next = waiting.shift();
    if (next) next(value);
    else heard.push(value);
  };
  const stop = client.subscribe(
    { query },
    { next: tell, error: (error) => tell({ error }), complete: () => tell('over') },
  );
  return {
    stop,
    /** Until nothing more is on its way; what was heard is forgotten. */
    async settle(): Promise<void> {
      do {
        heard.length = 0;
        await new Promise((resolve) => setTimeout(resolve, 300));
      } while (heard.length > 0);
    },
    next: (): Promise<Heard> =>
      heard.length > 0 ? Promise.resolve(heard.shift()) : new Promise((resolve) => waiting.push(resolve)),
  };
}

/** Until a subscriber listens: writes until it hears something. */
async function begun(app: Served, subscription: ReturnType<typeof hearing>, made = 'begin'): Promise<void> {
  let isThere = false;
  const first = subscription.next().then(() => {
    isThere = true;
  });
  while (!isThere) {
    await app.app.post('/api/notes', { data: { text: made } }, fullKey).expect(201);
    await Promise.race([first, new Promise((resolve) => setTimeout(resolve, 100))]);
  }
  await subscription.settle();
}

let site: Served;
beforeAll(async () => {
  site = await served();
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.dispose();
});
afterAll(() => site.remove());

const write = async (method: 'post' | 'put' | 'delete', path: string, data?: object) => {
  const call = site.app.agent[method](path).set('Authorization', `Bearer ${fullKey}`);
  const { status, body } = await (data ? call.send({ data }) : call);
  expect(status).toBeLessThan(300);
  return body.data;
};

/** Collects what is heard until something is. */
async function heardOf(query: string, act: () => Promise<unknown>, client = site.client(fullKey)): Promise<Heard> {
  const subscription = hearing(client, query);
  const first = subscription.next();
  // A subscription has begun when the server pulls; nothing tells the client so.
  await new Promise((resolve) => setTimeout(resolve, 500));
  await act();
  const value = await first;
  subscription.stop();
  return value;
}

describe('over WebSocket', () => {
  test('what is created, updated, deleted and published is told, read as by itself', async () => {
    let documentId = '';
    expect(
      await heardOf('subscription { noteCreated { documentId t: text tags { name } } }', async () => {
        ({ documentId } = await write('post', '/api/notes', { text: 'one' }));
      }),
    ).toEqual({ data: { noteCreated: { documentId, t: 'one', tags: [] } } });
    expect(
      await heardOf(`subscription { noteUpdated(documentId: "${documentId}") { text } }`, async () => {
        await write('post', '/api/notes', { text: 'other' });
        await write('put', `/api/notes/${documentId}`, { text: 'two' });
      }),
    ).toEqual({ data: { noteUpdated: { text: 'two' } } });
    expect(
      await heardOf('subscription { noteDeleted { documentId } }', () => write('delete', `/api/notes/${documentId}`)),
    ).toEqual({ data: { noteDeleted: { documentId } } });
  });

  test('a draft is told to who asks for drafts, and publishing is told', async () => {
    let documentId = '';
    const told: Heard[] = [];
    expect(
      await heardOf('subscription { storyCreated(status: DRAFT) { title } }', async () => {
        const published = hearing(site.client(fullKey), 'subscription { storyCreated { title } }');
        published.next().then((value) => told.push(value));
        await new Promise((resolve) => setTimeout(resolve, 500));
        ({ documentId } = await write('post', '/api/stories?status=draft', { title: 'A' }));
      }),
    ).toEqual({ data: { storyCreated: { title: 'A' } } });
    expect(
      await heardOf('subscription { storyPublished { title } }', () =>
        write('put', `/api/stories/${documentId}?status=published`, { title: 'B' }),
      ),
    ).toEqual({ data: { storyPublished: { title: 'B' } } });
    expect(
      await heardOf('subscription { storyPublished { title } }', () =>
        site.app.agent
          .post(`/api/stories/${documentId}/publish`)
          .set('Authorization', `Bearer ${fullKey}`)
          .send({})
          .expect(200),
      ),
    ).toEqual({ data: { storyPublished: { title: 'B' } } });
    expect(told).toEqual([]);
  });

  test('nothing is told of a write that failed', async () => {
    const told = await heardOf('subscription { noteCreated { text } }', async () => {
      const refused = await site.app.post('/api/notes', { data: { text: 5 } }, fullKey);
      expect(refused.status).toBe(400);
      await write('post', '/api/notes', { text: 'good' });
    });
    expect(told).toEqual({ data: { noteCreated: { text: 'good' } } });
  });

  test('who may not find is told so, and a right that ends ends the subscription', async () => {
    const forbidden = [expect.objectContaining({ message: 'Forbidden access' })];
    const closed = hearing(site.client(), 'subscription { noteCreated { text } }');
    expect((await closed.next()).errors ?? 'none').toEqual(forbidden);
    await site.app.grant([`${noteUid}.find`]);
    const open = hearing(site.client(), 'subscription { noteCreated { text } }');
    await begun(site, open);
    await site.app.service(ROLES).revoke('public', [`${noteUid}.find`]);
    await write('post', '/api/notes', { text: 'unheard' });
    expect(await open.next()).toMatchObject({ data: { noteCreated: null }, errors: [{ message: 'Forbidden access' }] });
    expect(await open.next()).toBe('over');
  });

  test('a right that ends ends the subscription, also when nothing happens', async () => {
    await site.app.grant([`${noteUid}.find`]);
    const open = hearing(site.client(), 'subscription { noteCreated { text } }');
    await begun(site, open);
    await site.app.service(ROLES).revoke('public', [`${noteUid}.find`]);
    expect((await open.next()).errors).toMatchObject([{ message: 'Forbidden access' }]);
    expect(await open.next()).toBe('over');
  });

  test('a key that is none opens nothing', async () => {
    const { error } = await hearing(site.client('nonsense'), 'subscription { noteCreated { text } }').next();
    expect(error.code).toBe(4403);
  });

  test.each([
    ['query { notes { text } }', 'Only subscriptions are answered here. Send queries and mutations by POST.'],
    ['subscription { noteCreatd { text } }', 'Cannot query field "noteCreatd" on type "Subscription". Did you mean'],
    ['subscription { noteCreated { ', 'Syntax Error'],
    [
      `subscription { noteCreated { ${Array.from({ length: 60 }, () => 'text').join(' ')} } }`,
      'asks 60 times for one key',
    ],
  ])('%s is refused', async (query, message) => {
    const { error } = await hearing(site.client(fullKey), query).next();
    expect(error[0].message).toContain(message);
  });

  test('other paths are not taken', async () => {
    const socket = new WebSocket(`${site.url.replace('http', 'ws')}/elsewhere`, 'graphql-transport-ws');
    const status = await new Promise((resolve) => {
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode));
      socket.on('error', () => undefined);
    });
    expect(status).toBe(404);
    socket.terminate();
  });
});

describe('as server-sent events', () => {
  const streamed = (key?: string) => {
    const client = createStreamClient({
      url: `${site.url}/graphql`,
      retryAttempts: 0,
      headers: (key === undefined ? {} : { authorization: `Bearer ${key}` }) as Record<string, string>,
    });
    clients.push(client as unknown as Client);
    return client as unknown as Client;
  };

  test('the same is told', async () => {
    expect(
      await heardOf(
        'subscription { noteCreated { text } }',
        () => write('post', '/api/notes', { text: 'streamed' }),
        streamed(fullKey),
      ),
    ).toEqual({ data: { noteCreated: { text: 'streamed' } } });
  });

  test('who may not find is told so', async () => {
    const subscription = hearing(streamed(), 'subscription { noteCreated { text } }');
    expect((await subscription.next()).errors).toMatchObject([{ message: 'Forbidden access' }]);
    expect(await subscription.next()).toBe('over');
  });

  test('a query by GET is a subscription, too', async () => {
    const stop = new AbortController();
    const query = encodeURIComponent('subscription { noteCreated { text } }');
    const response = await fetch(`${site.url}/graphql?query=${query}`, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${fullKey}` },
      signal: stop.signal,
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    stop.abort();
  });
});

describe('limits', () => {
  test('subscriptions of one connection, and connections', async () => {
    const small = await served({ maxPerConnection: 1, maxConnections: 1 });
    try {
      const client = small.client(fullKey);
      const first = hearing(client, 'subscription { noteCreated { text } }');
      await begun(small, first);
      const { error } = await hearing(client, 'subscription { noteDeleted { documentId } }').next();
      expect(error[0].message).toBe('There are at most 1 subscriptions for one connection.');
      const socket = new WebSocket(`${small.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
      const status = await new Promise((resolve) => {
        socket.on('unexpected-response', (_request, response) => resolve(response.statusCode));
        socket.on('error', () => undefined);
      });
      expect(status).toBe(503);
      const streamed = await fetch(`${small.url}/graphql`, {
        method: 'POST',
        headers: {
          accept: 'text/event-stream',
          'content-type': 'application/json',
          authorization: `Bearer ${fullKey}`,
        },
        body: JSON.stringify({ query: 'subscription { noteCreated { text } }' }),
      });
      expect(streamed.status).toBe(503);
      socket.terminate();
    } finally {
      await small.remove();
    }
  });

  test('who does not read is cut off', async () => {
    const small = await served({ maxWaiting: 3, keepAlive: 100_000 });
    try {
      const { port } = new URL(small.url);
      const body = JSON.stringify({
        query: 'subscription { storyCreated(status: DRAFT) { a: body b: body c: body d: body } }',
      });
      const socket = connect(Number(port), '127.0.0.1');
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.on('error', () => undefined);
      socket.write(
        `POST /graphql HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${fullKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      await new Promise((resolve) => socket.once('data', resolve));
      socket.pause();
      const data = { body: 'x'.repeat(900_000) };
      for (let at = 0; at < 10; at += 1)
        await small.app.post('/api/stories?status=draft', { data }, fullKey).expect(201);
      socket.resume();
      await closed;
    } finally {
      await small.remove();
    }
  });

  test('a stop ends all of them in order, and at once', async () => {
    const small = await served({});
    const subscription = hearing(small.client(fullKey), 'subscription { noteCreated { text } }');
    await begun(small, subscription);
    const start = Date.now();
    await small.remove();
    expect(Date.now() - start).toBeLessThan(9_000);
    // The client is told why, as far as a connection that goes away is an error to it.
    const { error } = await subscription.next();
    expect(error.code).toBe(1001);
  });

  test.each<[unknown, string]>([
    [{ maxConections: 1 }, 'Did you mean "maxConnections"?'],
    ['yes', 'graphql.config.subscriptions'],
  ])('%j is refused', async (subscriptions, message) => {
    await expect(served(subscriptions)).rejects.toThrow(message);
  });
});

test('without the option there is no type Subscription, and no connection', async () => {
  const none = await served(false);
  try {
    const { body } = await none.app.post('/graphql', { query: 'subscription { noteCreated { text } }' }, fullKey);
    expect(body.errors[0].message).toContain('Schema is not configured to execute subscription');
    expect(
      (await none.app.post('/graphql', { query: '{ __type(name: "Subscription") { name } }' }, fullKey)).body,
    ).toEqual({
      data: { __type: null },
    });
  } finally {
    await none.remove();
  }
});

test('over Redis, what happens in one process is told in another', async () => {
  const redis = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379';
  const probe = new Redis(redis, { lazyConnect: true, retryStrategy: () => null });
  probe.on('error', () => undefined);
  const isThere = await probe.connect().then(
    () => true,
    () => false,
  );
  probe.disconnect();
  if (!isThere) return console.warn(`no Redis answers at ${redis}: this test did not run`);
  const plugins = { graphql: { config: { subscriptions: { redis } } } } as RawConfig;
  const one = await served({ redis });
  const other = await usersApp({ plugins });
  try {
    const subscription = hearing(one.client(fullKey), 'subscription { noteDeleted { documentId } }');
    const first = subscription.next();
    await new Promise((resolve) => setTimeout(resolve, 700));
    const { body } = await other.post('/api/notes', { data: { text: 'far' } }, fullKey);
    await other.agent
      .delete(`/api/notes/${body.data.documentId}`)
      .set('Authorization', `Bearer ${fullKey}`)
      .expect(204);
    expect(await first).toEqual({ data: { noteDeleted: { documentId: body.data.documentId } } });
  } finally {
    await other.remove();
    await one.remove();
  }
});
