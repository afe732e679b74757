import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { definePlugin, forbidden } from '../../core';
import type { FileProvider, FileStore } from './hooks';
import { localProvider } from './providers/local';
import { openUploadApp, picture, type UploadApp } from './upload-app.fixture';

// What a place for files may do: fail, at whichever call it likes.

type Shown = Record<string, unknown>;

const full = (): Error => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });

/** Calls of the store, counted from one, that fail. */
let failing: (call: number, what: string) => boolean;
let calls: number;
/** What a call of the store waits for. */
let holding: () => Promise<void>;
/** What hooks of documents are to refuse. */
let refusing: (action: string) => boolean;

const faulty: FileProvider = {
  name: 'faulty',
  options: z.looseObject({}),
  make(_options, place): FileStore {
    const local = localProvider.make(localProvider.options.parse({}), place);
    const tried = async (what: string, work: () => Promise<void>): Promise<void> => {
      calls += 1;
      if (failing(calls, what)) throw full();
      await holding();
      await work();
    };
    return {
      ...local,
      put: (key, file) => tried('put', () => local.put(key, file)),
      remove: (key) => tried('remove', () => local.remove(key)),
    };
  },
};

const plugin = definePlugin({
  name: 'faults',
  after: ['upload'],
  apply({ hooks }) {
    hooks.http.authorize.tap('faults', () => true);
    hooks.document.written.tapPromise('faults', async ({ operation: { action, type } }) => {
      if (type.uid === 'plugin::upload.file' && refusing(action)) throw forbidden();
    });
    hooks.upload.providers.tap('faults', (providers) => providers.add(faulty));
  },
});
let app: UploadApp;

beforeEach(async () => {
  calls = 0;
  failing = () => false;
  holding = async () => undefined;
  refusing = () => false;
  app = await openUploadApp({ provider: 'faulty' }, { plugins: [plugin] });
});
afterEach(() => app.remove());

const image = async (name: string) => ({ name, bytes: await picture(300, 300), type: 'image/png' });
const listed = async (): Promise<Shown[]> => (await app.request<Shown[]>('GET', '/api/upload/files')).body;

async function expectWhole(rows: number): Promise<void> {
  expect(await listed()).toHaveLength(rows);
  expect(await app.mismatches()).toEqual([]);
  await app.quiet();
}

test('a full disk at any file of a form leaves nothing of the form', async () => {
  const files = [await image('a.png'), { name: 'b.txt', bytes: 'b' }, await image('c.png')];
  expect((await app.send(files)).status).toBe(201);
  const puts = calls;
  for (let nth = 1; nth <= puts; nth++) {
    calls = 0;
    failing = (call) => call === nth;
    const { status, body } = await app.send<Shown>(files);
    expect([status, (body['error'] as Shown)['name']]).toEqual([503, 'ServiceUnavailableError']);
    failing = () => false;
    await expectWhole(3);
  }
  expect((await app.send(files)).status).toBe(201);
  await expectWhole(6);
});

/** The bytes of all that is kept, by name. */
const contents = (): Record<string, string> =>
  Object.fromEntries(
    app.kept().map((name) => [name, readFileSync(join(app.folder.dataDir, 'uploads', name), 'base64')]),
  );

test.each([
  ['an image by a larger one', [300, 300], [1200, 900]],
  ['an image by a smaller one', [1200, 900], [300, 300]],
  ['an image by one with versions of the same names', [600, 600], [600, 599]],
  ['an image without versions by one with some', [20, 20], [600, 600]],
  ['an image with versions by one without', [600, 600], [20, 20]],
])('a full disk while a file is replaced leaves what was there, byte for byte: %s', async (_what, old, other) => {
  const sent = (name: string, [width, height]: number[]) =>
    picture(width!, height!).then((bytes) => ({ name, bytes, type: 'image/png' }));
  const { body } = await app.send([await sent('a.png', old)]);
  const path = `/api/upload?id=${body[0]!['id']}`;
  const [row, before] = [body[0]!, contents()];
  let nth = 0;
  for (;;) {
    nth += 1;
    calls = 0;
    failing = (call, what) => what === 'put' && call === nth;
    const { status } = await app.send([await sent('b.png', other)], {}, path);
    failing = () => false;
    if (status === 200) break;
    expect(status).toBe(503);
    expect((await listed())[0]).toEqual({ ...row, updatedAt: expect.anything() });
    expect(contents()).toEqual(before);
    await expectWhole(1);
  }
  expect(nth).toBeGreaterThan(1);
  const [after] = await listed();
  expect(after).toMatchObject({ name: 'b.png', hash: row['hash'], url: row['url'] });
  for (const [name, format] of Object.entries(after!['formats'] as Record<string, Shown>))
    expect(format['hash']).toBe(`${name}_${row['hash']}`);
  await expectWhole(1);
  expect((await app.request('DELETE', `/api/upload/files/${row['id']}`)).status).toBe(200);
  await expectWhole(0);
});

test.each([
  ['another replacement', () => app.send([{ name: 'c.txt', bytes: 'c' }], {}, '/api/upload?id=01')],
  ['a change of what is said', () => app.send([], { fileInfo: { caption: 'said' } }, '/api/upload?id=0001')],
  ['a removal', () => app.request('DELETE', '/api/upload/files/001')],
])('%s waits until a file is replaced, however the id is written', async (_what, begin) => {
  await app.send([{ name: 'a.txt', bytes: 'a' }]);
  const done: string[] = [];
  let letGo!: () => void;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const reached = new Promise<void>((resolve) => {
    holding = () => {
      resolve();
      return held;
    };
  });
  const replaced = app.send([{ name: 'b.txt', bytes: 'b' }], {}, '/api/upload?id=1').then(() => done.push('first'));
  await reached;
  const other = begin().then(({ status }) => done.push(`second: ${status}`));
  await sleep(200);
  expect(done).toEqual([]);
  letGo();
  await Promise.all([replaced, other]);
  expect(done.sort()).toEqual(['first', 'second: 200']);
  expect(await app.mismatches()).toEqual([]);
});

test('a row that is refused takes its files with it', async () => {
  const { body } = await app.send([await image('kept.png')]);
  refusing = () => true;
  expect((await app.send([await image('a.png'), await image('b.png')])).status).toBe(403);
  expect((await app.send([await image('c.png')], {}, `/api/upload?id=${body[0]!['id']}`)).status).toBe(403);
  expect((await app.request('DELETE', `/api/upload/files/${body[0]!['id']}`)).status).toBe(403);
  refusing = () => false;
  await expectWhole(1);
  expect((await listed())[0]).toMatchObject({ name: 'kept.png' });
});

test('files that could not be removed now are noted, for the next start', async () => {
  const { body } = await app.send([await image('a.png')]);
  failing = (_call, what) => what === 'remove';
  expect((await app.request('DELETE', `/api/upload/files/${body[0]!['id']}`)).status).toBe(200);
  expect(await listed()).toEqual([]);
  expect(app.kept()).toHaveLength(2);
  expect(app.staged()).toEqual([expect.stringMatching(/\.json$/)]);
});
