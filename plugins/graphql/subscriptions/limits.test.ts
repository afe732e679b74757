import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { fullKey } from '../../users-permissions/app.fixture';
import { begun, hearing, served } from './subscribed-app.fixture';

test('subscriptions of one connection, and connections', async () => {
  const small = await served({ maxPerConnection: 1, maxConnections: 1 });
  try {
    const client = small.client(fullKey);
    await begun(client, 'subscription { noteCreated { text } }');
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

test('a connection too many is closed, also where the client never does so', async () => {
  const none = await served({ maxConnections: 1 });
  try {
    await begun(none.client(fullKey), 'subscription { noteCreated { text } }');
    const client = connect({ port: Number(new URL(none.url).port), host: '127.0.0.1', allowHalfOpen: true });
    client.write('GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    const [answer] = await once(client, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 503/);
    await once(client, 'end');
    client.on('error', () => undefined);
    // What is sent to a connection that is closed comes back as an error.
    while (!client.destroyed) {
      client.write('x');
      await sleep(20);
    }
  } finally {
    await none.remove();
  }
});

test('what each event may answer', async () => {
  const small = await served({}, { costLimit: 50 });
  try {
    const of = (limit: number): string =>
      `subscription { noteCreated { tags(pagination: { limit: ${limit} }) { name } } }`;
    const { error } = await hearing(small.client(fullKey), of(100)).next();
    expect(error).toEqual([
      {
        message: 'The query may answer 101 entries. The maximum is 50: ask for smaller pages.',
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
      },
    ]);
    await begun(small.client(fullKey), of(49));
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
    for (let at = 0; at < 10; at += 1) await small.app.post('/api/stories?status=draft', { data }, fullKey).expect(201);
    socket.resume();
    await closed;
  } finally {
    await small.remove();
  }
});

test('a stop ends all of them in order, and at once', async () => {
  const small = await served({});
  const subscription = await begun(small.client(fullKey), 'subscription { noteCreated { text } }');
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
