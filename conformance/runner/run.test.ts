import type { RequestListener } from 'node:http';
import { inProcessTarget } from '../targets/in-process';
import type { Answer, Target, WireRequest } from '../targets/target';
import { load } from './load';
import type { Row, Step } from './row';
import { run } from './run';
import { tinyService } from './tiny-service';

const P = '/api/products';
const make: Step = {
  request: { method: 'POST', path: P, body: { data: { name: '{{row}}' } } },
  expect: { status: 201 },
  save: { doc: 'data.documentId' },
};
const read = (name: string): Step => ({
  request: { method: 'GET', path: `${P}/{{doc}}` },
  expect: { status: 200, type: 'application/json', body: { data: { $partial: { name } }, meta: {} } },
});
const row = (over: Partial<Row> = {}): Row => ({
  id: 'a.b',
  title: 'A row',
  area: 'Area',
  level: 'MUST',
  rules: ['spec.a'],
  source: 'specification',
  needs: ['rest'],
  steps: [make, read('{{row}}')],
  ...over,
});
const makeNamed = (name: string): Step => ({ ...make, request: { ...make.request, body: { data: { name } } } });
const scenes = { one: { about: 'One document.', steps: [makeNamed('{{run}}')] } };
const { features } = load().specification;
const statuses = (result: Awaited<ReturnType<typeof run>>) =>
  result.areas.flatMap(({ rows }) => rows.map((r) => r.status));

const byId = (result: Awaited<ReturnType<typeof run>>) =>
  Object.fromEntries(result.areas.flatMap(({ rows }) => rows.map(({ id, status }) => [id, status])));

/** A target that answers from a function. */
const target = (send: (request: WireRequest) => Promise<Answer>, over: Partial<Target> = {}): Target => ({
  name: 'fake',
  features: new Set(['rest'] as const),
  token: 'top-secret',
  exclusive: false,
  send,
  ...over,
});
const always = (answer: Partial<Answer>) => async (): Promise<Answer> => ({
  status: 200,
  headers: {},
  text: '',
  ...answer,
});

test('a row passes, and what it made is gone afterwards', async () => {
  const service = tinyService();
  const result = await run({ rows: [row()], scenes, target: inProcessTarget(service.listener, { token: 't' }) });
  expect(statuses(result)).toEqual(['pass']);
  expect(result.leftovers).toEqual([]);
  expect(service.documents.size).toBe(0);
  expect(service.requests[0]?.headers.authorization).toBe('Bearer t');
});

test('a failing row says what was sent, wanted and got, and still cleans up', async () => {
  const service = tinyService();
  const rows = [row({ steps: [make, read('Somebody else')] })];
  const result = await run({ rows, scenes, target: inProcessTarget(service.listener) });
  const failure = result.areas[0]?.rows[0]?.failure;
  expect(failure).toMatchObject({ step: 2, request: { method: 'GET' }, answer: { status: 200 } });
  expect(failure?.differences).toMatchObject([{ path: 'body.data.name', expected: 'Somebody else' }]);
  expect(service.documents.size).toBe(0);
});

test('a document that a row did not want is taken away too', async () => {
  const service = tinyService();
  const rows = [row({ steps: [{ ...make, expect: { status: 400 } }] })];
  expect(statuses(await run({ rows, scenes, target: inProcessTarget(service.listener) }))).toEqual(['fail']);
  expect(service.documents.size).toBe(0);
});

test('what will not go is reported', async () => {
  const send = async (request: WireRequest): Promise<Answer> =>
    request.method === 'DELETE'
      ? { status: 500, headers: {}, text: '' }
      : { status: 201, headers: { 'content-type': 'application/json' }, text: '{"data":{"documentId":"d"}}' };
  const result = await run({ rows: [row({ steps: [make] })], scenes, target: target(send) });
  expect(result.leftovers).toEqual(['DELETE /api/products/d answered 500']);
});

test('a form arrives as its bytes, and files that were uploaded are taken away', async () => {
  const seen: string[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      seen.push(`${request.method} ${request.url} ${bytes.includes(Buffer.from([0, 255, 128]))}`);
      response.writeHead(request.method === 'POST' ? 201 : 200, { 'content-type': 'application/json' });
      response.end(request.method === 'POST' ? '[{"id":7},{"id":8}]' : '{}');
    });
  };
  const form = [{ name: 'files', file: 'a.bin', base64: 'AP+A' }];
  const upload: Step = { request: { method: 'POST', path: '/api/upload', form }, expect: { status: 201 } };
  const result = await run({ rows: [row({ steps: [upload] })], scenes, target: inProcessTarget(listener) });
  expect([statuses(result), result.leftovers]).toEqual([['pass'], []]);
  expect(seen).toEqual([
    'POST /api/upload true',
    'DELETE /api/upload/files/8 false',
    'DELETE /api/upload/files/7 false',
  ]);
});

test('a scene is made once, shared, and taken away at the end', async () => {
  const service = tinyService();
  const rows = ['a', 'b'].map((id) => row({ id, scene: 'one', steps: [read('{{run}}')] }));
  const result = await run({ rows, scenes, target: inProcessTarget(service.listener) });
  expect(statuses(result)).toEqual(['pass', 'pass']);
  expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  expect(service.documents.size).toBe(0);
});

test('rows of a scene that the target refuses fail', async () => {
  const result = await run({ rows: [row({ scene: 'one' })], scenes, target: target(always({ status: 403 })) });
  expect(result.areas[0]?.rows[0]).toMatchObject({ status: 'fail', reason: 'the scene "one" could not be made' });
});

test('rows are skipped by the target, disabled by the caller, selected by id and level', async () => {
  const fake = inProcessTarget(tinyService().listener, { features: ['rest', 'i18n'] });
  const rows = [
    row({ id: 'a' }),
    row({ id: 'b', needs: ['graphql'] }),
    row({ id: 'c', needs: ['i18n'] }),
    row({ id: 'd', level: 'MAY' }),
  ];
  const all = await run({ rows, scenes, features, target: fake, off: ['i18n'] });
  expect(byId(all)).toEqual({ 'features.graphql.off': 'skip', a: 'pass', b: 'skip', c: 'disabled', d: 'pass' });
  expect(statuses(await run({ rows, scenes, target: fake, only: ['a'] }))).toEqual(['pass']);
  expect(statuses(await run({ rows, scenes, target: fake, levels: ['MAY'] }))).toEqual(['pass']);
});

test('a feature that is declared off and there all the same fails its rows, and is asked for once', async () => {
  const asked: string[] = [];
  const fake = target(async ({ path }) => {
    asked.push(path);
    return { status: 200, headers: {}, text: '{}' };
  });
  const rows = ['b', 'c'].map((id) => row({ id, needs: ['graphql'] }));
  const result = await run({ rows, scenes, features, target: fake });
  expect(byId(result)).toEqual({ 'features.graphql.off': 'fail', b: 'fail', c: 'fail' });
  expect(result.areas[0]?.rows[0]?.failure?.differences).toMatchObject([{ path: 'status', got: 200 }]);
  expect(result.areas[1]?.rows[0]?.reason).toBe('see features.graphql.off');
  expect(asked).toEqual(['/graphql']);
});

test('a row about the absence of a feature is played only where the target lacks it', async () => {
  const played = async (declared: readonly ('rest' | 'i18n')[]) => {
    const fake = inProcessTarget(tinyService().listener, { features: declared });
    return byId(await run({ rows: [row({ without: ['i18n'] })], scenes, features, target: fake, off: ['i18n'] }));
  };
  expect(await played(['rest'])).toEqual({ 'features.i18n.off': 'skip', 'a.b': 'pass' });
  expect(await played(['rest', 'i18n'])).toEqual({ 'a.b': 'skip' });
});

test('what a path names already, or lies under a single type, is not deleted as made', async () => {
  const deleted: string[] = [];
  const send = async (request: WireRequest): Promise<Answer> => {
    if (request.method === 'DELETE') deleted.push(request.path);
    if (request.method === 'GET') return { status: 404, headers: {}, text: '' };
    return { status: 201, headers: { 'content-type': 'application/json' }, text: '{"data":{"documentId":"d"}}' };
  };
  const act = (path: string): Step => ({ request: { method: 'POST', path }, expect: { status: 201 } });
  const rows = [row({ steps: [make, act(`${P}/{{doc}}/publish`)] })];
  expect(statuses(await run({ rows, scenes, target: target(send) }))).toEqual(['pass']);
  expect(deleted).toEqual([`${P}/d`]);
  const single = [row({ exclusive: '/api/setting', steps: [act('/api/setting/publish')] })];
  expect(statuses(await run({ rows: single, scenes, target: target(send, { exclusive: true }) }))).toEqual(['pass']);
  expect(deleted).toEqual([`${P}/d`, '/api/setting']);
});

test('a single type that exists in another locale only is left alone', async () => {
  const asked: string[] = [];
  const answering =
    (status: number) =>
    async (request: WireRequest): Promise<Answer> => {
      asked.push(`${request.method} ${request.path}`);
      return { status: request.path.includes('filters') ? status : 404, headers: {}, text: '' };
    };
  const rows = [
    row({ exclusive: '/api/homepage', steps: [{ request: { method: 'GET', path: P }, expect: { status: 404 } }] }),
  ];
  const over: Partial<Target> = { exclusive: true, features: new Set(['rest', 'i18n'] as const) };
  expect(statuses(await run({ rows, scenes, target: target(answering(200), over) }))).toEqual(['skip']);
  expect(asked.every((line) => line.startsWith('GET'))).toBe(true);
  // A type without locales refuses the filter, which says that there is nothing more to find.
  expect(statuses(await run({ rows, scenes, target: target(answering(400), over) }))).toEqual(['pass']);
});

test('a single type is written only where the run may, and where nothing is', async () => {
  const service = tinyService();
  const put: Step = {
    request: { method: 'PUT', path: '/api/setting', body: { data: { a: 1 } } },
    expect: { status: 200 },
  };
  const rows = [row({ exclusive: '/api/setting', steps: [put] })];
  const mine = inProcessTarget(service.listener);
  expect(statuses(await run({ rows, scenes, target: { ...mine, exclusive: false } }))).toEqual(['skip']);
  expect(statuses(await run({ rows, scenes, target: mine }))).toEqual(['pass']);
  expect(service.documents.size).toBe(0);
  service.documents.set('/api/setting', { a: 'theirs' });
  expect(statuses(await run({ rows, scenes, target: mine }))).toEqual(['skip']);
  expect(service.documents.get('/api/setting')).toEqual({ a: 'theirs' });
});

test('a target that gives no answer fails; a mistake in a row is an error', async () => {
  const silent = target(() => new Promise(() => undefined));
  const late = await run({ rows: [row()], scenes, target: silent, timeout: 20 });
  expect(late.areas[0]?.rows[0]?.failure?.differences[0]?.expected).toBe('no answer within 20 ms');
  const gone = await run({ rows: [row()], scenes, target: target(async () => Promise.reject(new Error('reset'))) });
  expect(gone.areas[0]?.rows[0]?.failure?.differences[0]?.expected).toBe('no answer: reset');
  const wrong = await run({ rows: [row({ steps: [read('x')] })], scenes, target: target(always({})) });
  expect(wrong.areas[0]?.rows[0]).toMatchObject({ status: 'error', reason: expect.stringContaining('{{doc}}') });
  expect(wrong.status).toBe('error');
});

test('429 is waited out, for as long as there is patience', async () => {
  let asked = 0;
  const busy = target(async () => ({ status: asked++ < 1 ? 429 : 201, headers: { 'retry-after': '0.01' }, text: '' }));
  const rows = [row({ steps: [{ ...make, save: {} }] })];
  expect(statuses(await run({ rows, scenes, target: busy }))).toEqual(['pass']);
  const always429 = target(always({ status: 429, headers: { 'retry-after': '1' } }));
  expect(statuses(await run({ rows, scenes, target: always429, patience: 10 }))).toEqual(['fail']);
});

test('tokens appear in no report', async () => {
  const login: Step = {
    request: { method: 'POST', path: '/api/login', body: {} },
    expect: { status: 200 },
    save: { ann: 'jwt' },
  };
  const wrong: Step = { request: { method: 'GET', path: P, as: 'user:ann' }, expect: { status: 404 } };
  const leaky = target(
    always({
      headers: { 'content-type': 'application/json' },
      text: '{"jwt":"ann-token","echo":"top-secret ann-token"}',
    }),
  );
  const result = await run({
    rows: [row({ id: 'a', steps: [login, wrong] }), row({ id: 'b' })],
    scenes,
    target: leaky,
  });
  expect(statuses(result)).toEqual(['fail', 'fail']);
  expect(JSON.stringify(result)).not.toMatch(/top-secret|ann-token/);
  expect(JSON.stringify(result)).toContain('[redacted]');
});

test('an interrupted run stops after the row in play and cleans up', async () => {
  const service = tinyService();
  const stop = new AbortController();
  const rows = [row({ id: 'a', scene: 'one' }), row({ id: 'b' })];
  const interrupt = { signal: stop.signal, onRow: () => stop.abort() };
  const result = await run({ rows, scenes, target: inProcessTarget(service.listener), ...interrupt });
  expect(statuses(result)).toEqual(['pass']);
  expect(service.documents.size).toBe(0);
});
