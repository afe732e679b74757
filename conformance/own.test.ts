import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Application, createApplication } from '../core';
import { shipped } from '../plugins/shipped';
import { deriveRows } from './own/derive';
import { markLength } from './own/kinds';
import { readSchemas } from './own/schemas';
import { isBad, rowsOf } from './runner/result';
import { run } from './runner/run';
import { defaultPatience } from './runner/send';
import { openSession } from './runner/session';
import { inProcessTarget } from './targets/in-process';
import type { Answer, Target, WireRequest } from './targets/target';

const token = 'conformance-token';
const appDir = join(__dirname, 'fixtures/app');
const scratch = mkdtempSync(join(tmpdir(), 'heddle-own-'));
const { DATABASE_CLIENT: _, DATABASE_FILENAME: __, ...env } = process.env;
let app: Application;
let target: Target;

const article = {
  ...{ title: 'Theirs', kind: 'guide', contact: 'a@b.co', day: '2024-01-02', hour: '10:20:30', rating: 4, views: '77' },
  ...{ at: '2024-01-02T03:04:05.000Z', score: 2.5, price: 1.5, featured: true, extra: { a: 1 }, internalNote: 'n' },
};

beforeAll(async () => {
  app = await createApplication({ appDir, dataDir: scratch, shipped, env: { ...env, CONFORMANCE_TOKEN: token } });
  await app.start();
  target = inProcessTarget(app.handler, { token });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const contents: [string, object][] = [
    ['/api/articles', article],
    ['/api/articles', { title: 'Other' }],
    ['/api/products', { name: 'A' }],
  ];
  for (const [path, data] of contents)
    await target.send({ method: 'POST', path, headers, body: JSON.stringify({ data }) }, AbortSignal.timeout(10_000));
});
afterAll(async () => {
  await app.close();
  rmSync(scratch, { recursive: true });
});

async function played(over: Target, write = false) {
  const { rows, skips } = await deriveRows(readSchemas(appDir), over, defaultPatience, write);
  const result = await run({ rows, skips, scenes: {}, target: over });
  return {
    result,
    bad: rowsOf(result)
      .filter(isBad)
      .map(({ id }) => id),
  };
}

/** The target, with answers changed. */
const changed = (change: (request: WireRequest, answer: Answer) => Answer): Target => ({
  ...target,
  send: async (request, signal) => change(request, await target.send(request, signal)),
});
const replacing = (from: RegExp | string, to: string) =>
  changed((_, answer) => ({ ...answer, text: answer.text.replaceAll(from, to) }));

test('a service passes by its own schema files, and reading it changes nothing', async () => {
  const methods = new Set<string>();
  const noting = changed(({ method }, answer) => {
    methods.add(method);
    return answer;
  });
  const { result, bad } = await played(noting);
  expect(bad).toEqual([]);
  expect(result.counts.pass).toBeGreaterThan(60);
  expect([...methods]).toEqual(['GET']);
});

test('the mark of a row has the length that texts with bounds are made for', async () => {
  const { length } = openSession({ target, scenes: {} }).run;
  // Without its first letter, with a letter on each side of the number of the row.
  expect([length - 1 + 2 + 1, length - 1 + 2 + 4]).toEqual([markLength.least, markLength.most]);
});

/** The target as `over` says, and the paths of single types that were sent a POST. */
function notingPosts(over: Partial<Target> = {}) {
  const posted: string[] = [];
  const noting = changed(({ method, path }, answer) => {
    if (method === 'POST' && ['/api/homepage', '/api/setting'].includes(path)) posted.push(path);
    return answer;
  });
  return { posted, noting: { ...noting, ...over } };
}

test('with leave to write it makes a document of each type, and takes it away; single types are not made by POST', async () => {
  const { posted, noting } = notingPosts();
  const { result, bad } = await played(noting, true);
  expect(posted).toEqual(['/api/homepage', '/api/setting']);
  expect(bad).toEqual([]);
  expect(rowsOf(result).filter(({ id, status }) => id.endsWith('.write') && status === 'pass')).toHaveLength(7);
  expect(result.leftovers).toEqual([]);
});

test('single types of a deployment that others use are not sent a POST', async () => {
  const { posted, noting } = notingPosts({ exclusive: false });
  const { result } = await played(noting, true);
  expect(posted).toEqual([]);
  expect(rowsOf(result).find(({ id }) => id === 'own.setting.single.post')).toMatchObject({ status: 'skip' });
});

test('a single type in which something stands is not sent a POST', async () => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const setting = { path: '/api/setting', headers };
  const send = (request: WireRequest) => target.send(request, AbortSignal.timeout(10_000));
  expect((await send({ ...setting, method: 'PUT', body: '{"data":{"siteName":"Ours"}}' })).status).toBe(200);
  const { posted, noting } = notingPosts();
  const { result } = await played(noting, true);
  expect(posted).toEqual(['/api/homepage']);
  expect(rowsOf(result).find(({ id }) => id === 'own.setting.single.post')).toMatchObject({ status: 'skip' });
  expect((await send({ ...setting, method: 'GET' })).status).toBe(200);
  await send({ ...setting, method: 'DELETE' });
});

test.each<[name: string, broken: () => Target, row: string]>([
  ['a value of another kind', () => replacing('"rating":4', '"rating":"4"'), 'own.article.list'],
  ['a private attribute in an answer', () => replacing('"title":', '"internalNote":1,"title":'), 'own.article.list'],
  [
    'a sort that is ignored',
    () => ({
      ...target,
      send: (request, signal) => target.send({ ...request, path: request.path.replace('%3Adesc', '') }, signal),
    }),
    'own.article.sort.id',
  ],
  [
    'pages that are ignored',
    () =>
      changed(({ path }, answer) =>
        path.includes('[page]=2') ? { ...answer, text: answer.text.replace('"page":2', '"page":1') } : answer,
      ),
    'own.article.pages',
  ],
  [
    'a type that is not there',
    () => changed(({ path }, answer) => (path.startsWith('/api/tags') ? { ...answer, status: 404 } : answer)),
    'own.tag',
  ],
])('%s is noticed', async (_name, broken, row) => {
  const { bad } = await played(broken());
  expect(bad).toContain(row);
});

test('what may not be read is skipped and says so', async () => {
  const closed = changed(({ path }, answer) => (path.startsWith('/api/tags') ? { ...answer, status: 403 } : answer));
  const { result, bad } = await played(closed);
  expect(bad).toEqual([]);
  expect(rowsOf(result).find(({ id }) => id === 'own.tag')).toMatchObject({
    status: 'skip',
    reason: 'GET /api/tags answered 403',
  });
});

test('a folder that holds no schema, or a broken one, is refused by name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'no-schema-'));
  expect(() => readSchemas(folder)).toThrow(/neither src\/api nor config\/api nor api/);
  mkdirSync(join(folder, 'api/x/content-types/x'), { recursive: true });
  expect(() => readSchemas(folder)).toThrow(/no schema\.json/);
  writeFileSync(join(folder, 'api/x/content-types/x/schema.json'), '{"kind":"nope"}');
  expect(() => readSchemas(folder)).toThrow(/schema\.json: \/kind/);
  rmSync(folder, { recursive: true });
});
