import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AppFolder, appFolder } from '../../core/testing/app-folder';
import { filesBelow, keysIn, picture } from '../../plugins/upload/upload-app.fixture';
import { type Running, running } from '../ci/running';

// A real process is killed in the middle of what it does with files, and another started in its place.

type Shown = Record<string, unknown>;

/** Lets everyone in, and stands still where a file named "stop" says so: in its transaction, or after it. */
const plugin = `
const { existsSync, readFileSync } = require('node:fs');
let wanted = '';
const stopAt = (hook) => async ({ operation }) => {
  if (wanted !== operation.action + ' ' + hook || operation.type.uid !== 'plugin::upload.file') return;
  console.log('standing still');
  await new Promise(() => {});
};
module.exports = {
  name: 'stopping',
  apply({ hooks, app }) {
    if (existsSync(app.dir + '/stop')) wanted = readFileSync(app.dir + '/stop', 'utf8');
    hooks.http.authorize.tap('stopping', () => true);
    hooks.document.written.tapPromise('stopping', stopAt('written'));
    hooks.document.committed.tapPromise('stopping', stopAt('committed'));
  },
};`;

let folder: AppFolder;
let service: Running | undefined;

beforeEach(() => {
  folder = appFolder({
    'config/plugins.js': "module.exports = { stopping: { resolve: './stopping.js' } };",
    'stopping.js': plugin,
  });
});
afterEach(async () => {
  await service?.stop();
  service = undefined;
  folder.remove();
});

async function start(stopAt?: string): Promise<void> {
  writeFileSync(join(folder.appDir, 'stop'), stopAt ?? '');
  service = await running(folder.appDir, folder.dataDir);
}

async function kill(): Promise<void> {
  const { pid } = service!;
  process.kill(pid, 'SIGKILL');
  service = undefined;
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await sleep(10);
  }
}

async function standsStill(): Promise<void> {
  while (!service!.output().includes('standing still')) await sleep(10);
}

async function send(name: string, bytes: Uint8Array | string, path = '/api/upload'): Promise<Shown> {
  const form = new FormData();
  form.append('files', new Blob([bytes as never]), name);
  const answer = await fetch(service!.url + path, { method: 'POST', body: form });
  const body = (await answer.json()) as Shown | Shown[];
  return (Array.isArray(body) ? body[0] : body) as Shown;
}

const list = async (): Promise<Shown[]> => (await fetch(`${service!.url}/api/upload/files`)).json() as Promise<Shown[]>;

const filesIn = (name: string): string[] => filesBelow(join(folder.dataDir, name));

/** Rows and files fit together, and nothing else is left of anything. */
async function expectWhole(): Promise<Shown[]> {
  const rows = await list();
  expect(filesIn('uploads')).toEqual(rows.flatMap(keysIn).sort());
  expect(filesIn('upload-staging')).toEqual([]);
  return rows;
}

const bytesOf = async (file: Shown): Promise<string> => (await fetch(service!.url + String(file['url']))).text();

test('killed while a row is written, the files that were there already go', async () => {
  await start('create written');
  const lost = send('p.png', await picture(300, 300)).catch(() => undefined);
  await standsStill();
  expect(filesIn('uploads')).toHaveLength(2);
  await kill();
  await lost;
  await start();
  expect(await expectWhole()).toEqual([]);
});

test('killed when the row is written, file and row stay', async () => {
  await start('create committed');
  send('a.txt', 'kept').catch(() => undefined);
  await standsStill();
  await kill();
  await start();
  const [file] = await expectWhole();
  expect(await bytesOf(file!)).toBe('kept');
});

test.each([
  ['delete written', 1],
  ['delete committed', 0],
])('killed at "%s", a file is there wholly or not at all', async (stopAt, left) => {
  await start(stopAt);
  const { id } = await send('p.png', await picture(300, 300));
  fetch(`${service!.url}/api/upload/files/${id}`, { method: 'DELETE' }).catch(() => undefined);
  await standsStill();
  await kill();
  await start();
  expect(await expectWhole()).toHaveLength(left);
});

test.each([
  ['update written', 'before', 'a.txt'],
  ['update committed', 'after!', 'b.txt'],
])('killed at "%s", a replaced file is the one or the other', async (stopAt, content, name) => {
  await start(stopAt);
  const { id } = await send('a.txt', 'before');
  send('b.txt', 'after!', `/api/upload?id=${id}`).catch(() => undefined);
  await standsStill();
  await kill();
  await start();
  const [file] = await expectWhole();
  expect([file!['name'], await bytesOf(file!)]).toEqual([name, content]);
});

test('killed before smaller versions are made, the next start makes them', async () => {
  const config =
    "module.exports = { stopping: { resolve: './stopping.js' }, upload: { config: { images: { background: true } } } };";
  writeFileSync(join(folder.appDir, 'config', 'plugins.js'), config);
  await start('update written');
  const { id } = await send('p.png', await picture(600, 400));
  await standsStill();
  await kill();
  await start();
  const shown = async (): Promise<Shown> =>
    (await fetch(`${service!.url}/api/upload/files/${id}`)).json() as Promise<Shown>;
  while ((await shown())['formats'] === null) await sleep(25);
  while (filesIn('upload-staging').length > 0) await sleep(25);
  expect((await expectWhole())[0]).toMatchObject({ formats: { thumbnail: { width: 234 }, small: { width: 500 } } });
});

test('killed at any moment, rows and files fit together', async () => {
  const bytes = await picture(260, 200);
  for (let round = 0; round < 6; round++) {
    await start();
    const sending = Array.from({ length: 8 }, async (_, at) => {
      for (let each = 0; each < 20; each++) {
        const { id } = await send(`${at}.png`, bytes);
        if (each % 3 === 0) await fetch(`${service!.url}/api/upload/files/${id}`, { method: 'DELETE' });
        if (each % 3 === 1) await send('other.png', bytes.subarray(0), `/api/upload?id=${id}`);
      }
    }).map((work) => work.catch(() => undefined));
    await sleep(150 + round * 170);
    await kill();
    await Promise.all(sending);
    await start();
    await expectWhole();
    await service!.stop();
    service = undefined;
  }
}, 180_000);

test('stopped as it should be, what is on its way is finished', async () => {
  await start();
  const sent = Promise.all(Array.from({ length: 5 }, async (_, at) => send(`${at}.png`, await picture(300, 300 + at))));
  await sleep(50);
  const { pid } = service!;
  process.kill(pid, 'SIGTERM');
  await sent.catch(() => undefined);
  await service!.stop();
  await start();
  await expectWhole();
});
