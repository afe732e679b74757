import { inProcessTarget } from '../targets/in-process';
import type { Answer, Target, WireRequest } from '../targets/target';
import type { Row, Step } from './row';
import { run } from './run';
import { tinyService } from './tiny-service';

const row = (id: string, over: Partial<Row> = {}): Row => ({
  id,
  title: id,
  area: 'Area',
  level: 'MUST',
  rules: ['spec.a'],
  source: 'specification',
  needs: ['rest'],
  steps: [],
  ...over,
});
const post = (path: string, body: Step['request']['body']): Step => ({
  request: { method: 'POST', path, body },
  expect: { status: 201 },
});
const json = (status: number, body: unknown): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  text: JSON.stringify(body),
});
const target = (send: (request: WireRequest) => Promise<Answer>, over: Partial<Target> = {}): Target => ({
  name: 'fake',
  features: new Set(['rest'] as const),
  token: 't',
  exclusive: true,
  send,
  ...over,
});

/** Keeps what a POST brings, and is silent about it. */
function silent() {
  const kept = new Map<string, unknown>();
  const deleted: string[] = [];
  const send = async ({ method, path, body }: WireRequest): Promise<Answer> => {
    if (method === 'POST') {
      kept.set(`made${kept.size}`, JSON.parse(String(body)).data);
      return new Promise(() => undefined);
    }
    if (method === 'DELETE') deleted.push(path);
    const data = [...kept].map(([documentId, attributes]) => ({ documentId, ...(attributes as object) }));
    return json(200, { data: [...data, { documentId: 'theirs', name: 'somebody else' }] });
  };
  return { kept, deleted, target: target(send) };
}

test('what a request without an answer made is found by the mark of the row, and nothing else is deleted', async () => {
  const service = silent();
  const rows = [row('a', { steps: [post('/api/products', { data: { name: '{{row}}' } })] })];
  const { leftovers } = await run({ rows, scenes: {}, target: service.target, timeout: 20 });
  expect(service.deleted).toEqual(['/api/products/made0']);
  expect(leftovers).toEqual([]);
});

test('what can not be found is reported', async () => {
  const service = silent();
  const rows = [row('a', { steps: [post('/api/products', { data: { name: 'unmarked' } })] })];
  const { leftovers } = await run({ rows, scenes: {}, target: service.target, timeout: 20 });
  expect(service.deleted).toEqual([]);
  expect(leftovers).toEqual(['POST /api/products got no answer, and may have made something']);
});

test('what mutations made goes the way it came', async () => {
  const queries: string[] = [];
  const send = async ({ body }: WireRequest): Promise<Answer> => {
    queries.push(JSON.parse(String(body)).query);
    return json(200, { data: { a: { documentId: 'd1' }, b: null, createTag: { documentId: 'd2' } } });
  };
  const query =
    'mutation { a: createTag(data: {}) { documentId } b: createTag(data: {}) { documentId } createTag(data: {}) { documentId } }';
  const made = { ...post('/graphql', { query }), expect: { status: 200 } };
  await run({ rows: [row('a', { steps: [made] })], scenes: {}, target: target(send) });
  expect(queries.slice(1)).toEqual([
    'mutation { deleteTag(documentId: "d2") { documentId } }',
    'mutation { deleteTag(documentId: "d1") { documentId } }',
  ]);
});

test('what mutations made in a locale goes in all of them', async () => {
  const deleted: string[] = [];
  const send = async ({ method, path }: WireRequest): Promise<Answer> => {
    if (method === 'DELETE') deleted.push(path);
    return json(200, { data: { createTag: { documentId: 'd1' }, b: { documentId: 'd2' } } });
  };
  const query =
    'mutation { createTag(locale: "fr", data: {}) { documentId } b: createCategory(locale: "fr", data: {}) { documentId } }';
  const made = { ...post('/graphql', { query }), expect: { status: 200 } };
  const features = new Set(['rest', 'i18n'] as const);
  await run({ rows: [row('a', { steps: [made] })], scenes: {}, target: target(send, { features }) });
  expect(deleted).toEqual(['/api/categories/d2?locale=*', '/api/tags/d1?locale=*']);
});

/** Plays a step that is answered so, and returns what was deleted and what is told to be left. */
async function afterwards(step: Step, answer: unknown) {
  const deleted: string[] = [];
  const send = async ({ method, path }: WireRequest): Promise<Answer> => {
    if (method === 'DELETE') deleted.push(path);
    return json(200, answer);
  };
  const { leftovers } = await run({ rows: [row('a', { steps: [step] })], scenes: {}, target: target(send) });
  return { deleted, leftovers };
}
const mutation = (text: string): Step => post('/graphql', { query: `mutation { ${text} }` });
const registered = { id: 7, username: 'u' };

test.each<[name: string, step: Step, answer: unknown]>([
  ['registered', post('/api/auth/local/register', { username: '{{row}}' }), { jwt: 'j', user: registered }],
  ['was made as one makes others', post('/api/users', { username: '{{row}}' }), registered],
  [
    'registered by a mutation',
    mutation('me: register(input: { username: "{{row}}" }) { jwt user { id } }'),
    { data: { me: { jwt: 'j', user: { id: '7' } }, other: { user: { id: '8' } }, none: null } },
  ],
])('who %s goes, too', async (_, step, answer) => {
  expect(await afterwards(step, answer)).toEqual({ deleted: ['/api/users/7'], leftovers: [] });
});

test.each<[name: string, step: Step, answer: unknown]>([
  ['logs in', post('/api/auth/local', { identifier: '{{row}}' }), { jwt: 'j', user: registered }],
  ['resets a password', post('/api/auth/reset-password', { code: '{{row}}' }), { jwt: 'j', user: registered }],
  ['changes a password', post('/api/auth/change-password', { password: '{{row}}' }), { jwt: 'j', user: registered }],
  [
    'logs in by a mutation',
    mutation('login(input: { identifier: "{{row}}" }) { jwt user { id } }'),
    { data: { login: { jwt: 'j', user: { id: '7' } } } },
  ],
])('somebody else, whom an answer shows to who %s, stays', async (_, step, answer) => {
  expect(await afterwards(step, answer)).toEqual({ deleted: [], leftovers: [] });
});

test.each<[step: Step, answer: unknown]>([
  [post('/api/auth/local/register', {}), { jwt: 'j', user: registered }],
  [post('/api/users', {}), registered],
  [mutation('register(input: {}) { jwt user { id } }'), { data: { register: { jwt: 'j', user: { id: '7' } } } }],
])('a user without the mark is reported, and not deleted', async (step, answer) => {
  expect(await afterwards(step, answer)).toEqual({
    deleted: [],
    leftovers: [`POST ${step.request.path} made something that can not be told from what others made`],
  });
});

test('rows that write the same single type wait for each other, others do not', async () => {
  const service = tinyService();
  const put: Step = { request: { method: 'PUT', path: '/api/setting', body: { data: {} } }, expect: { status: 200 } };
  const rows = ['a', 'b', 'c'].map((id) => row(id, { exclusive: '/api/setting', steps: [put] }));
  const result = await run({ rows, scenes: {}, target: inProcessTarget(service.listener), concurrency: 3 });
  expect(result.counts).toMatchObject({ pass: 3, skip: 0 });
  expect(service.documents.size).toBe(0);

  let inFlight = 0;
  let most = 0;
  const slow = target(async () => {
    most = Math.max(most, ++inFlight);
    await new Promise((resolve) => setImmediate(resolve));
    inFlight -= 1;
    return json(201, {});
  });
  const free = ['a', 'b', 'c', 'd'].map((id) => row(id, { steps: [post('/api/x', {})] }));
  const { areas } = await run({ rows: free, scenes: {}, target: slow, concurrency: 3 });
  expect(most).toBe(3);
  expect(areas[0]?.rows.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
});

test('a single type that would not go is reported', async () => {
  const send = async ({ method }: WireRequest): Promise<Answer> => json(method === 'DELETE' ? 500 : 404, {});
  const rows = [row('a', { exclusive: '/api/setting' })];
  const { leftovers } = await run({ rows, scenes: {}, target: target(send) });
  expect(leftovers).toEqual(['DELETE /api/setting answered 500']);
});

test('an interrupt ends a row between two steps, and what it made goes', async () => {
  const service = tinyService();
  const stop = new AbortController();
  const real = inProcessTarget(service.listener);
  const interrupting: Target = {
    ...real,
    async send(request, signal) {
      const answer = await real.send(request, signal);
      stop.abort();
      return answer;
    },
  };
  const step = post('/api/products', { data: { name: '{{row}}' } });
  const rows = [row('a', { steps: [step, step] }), row('b', { steps: [step] })];
  const result = await run({ rows, scenes: {}, target: interrupting, signal: stop.signal });
  expect(result.areas).toEqual([]);
  expect(service.requests.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
  expect(service.documents.size).toBe(0);
});
