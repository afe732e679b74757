import { request } from 'node:http';
import WebSocket from 'ws';
import { fullKey } from '../../users-permissions/app.fixture';
import { hearing, type Served, served } from './subscribed-app.fixture';

let site: Served;
beforeAll(async () => {
  site = await served();
});
afterEach(() => site.leave());
afterAll(() => site.remove());

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

test('a condition that is null is refused', async () => {
  const response = await fetch(`${site.url}/graphql`, {
    method: 'POST',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json', authorization: `Bearer ${fullKey}` },
    body: JSON.stringify({
      query: 'subscription ($x: Boolean = true) { noteCreated { documentId text @include(if: $x) } }',
      variables: { x: null },
    }),
  });
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('Argument \\"if\\" of non-null type');
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
test('server-sent events tell the same', async () => {
  expect(
    await site.heardOf(
      'subscription { noteCreated { text } }',
      () => site.write('post', '/api/notes', { text: 'streamed' }),
      site.streamed(fullKey),
    ),
  ).toEqual({ data: { noteCreated: { text: 'streamed' } } });
});

test('a query by GET is a subscription by server-sent events, too', async () => {
  const stop = new AbortController();
  const query = encodeURIComponent('subscription { noteCreated { text } }');
  const response = await fetch(`${site.url}/graphql?query=${query}`, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${fullKey}` },
    signal: stop.signal,
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  stop.abort();
});

test('also where the address of the service is none that can be read', async () => {
  const query = encodeURIComponent('subscription { noteCreated { text } }');
  const status = await new Promise((resolve, reject) => {
    const headers = { host: '[', accept: 'text/event-stream', authorization: `Bearer ${fullKey}` };
    const asked = request(`${site.url}/graphql?query=${query}`, { headers }, (response) => {
      resolve(response.statusCode);
      asked.destroy();
    });
    asked.on('error', reject);
    asked.end();
  });
  expect(status).toBe(200);
});
