import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AppFolder, appFolder } from '../../core/testing/app-folder';
import { launcher, type Running, running } from '../ci/running';
import { slowPlugin } from './slow-plugin.fixture';

const note = (attributes: object) => ({
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes,
});
const schemaFile = 'src/api/note/content-types/note/schema.json';

let folder: AppFolder;
let service: Running | undefined;

beforeEach(() => {
  folder = appFolder({
    'config/plugins.js': "module.exports = { slow: { resolve: './slow.js' } };",
    'slow.js': slowPlugin(400),
    [schemaFile]: note({ title: { type: 'string' } }),
  });
});
afterEach(async () => {
  await service?.stop();
  service = undefined;
  folder.remove();
});

const write = (path: string, content: string | object): void => {
  const file = join(folder.appDir, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
};

const routeStatus = (url: string): Promise<number> =>
  fetch(url, { headers: { connection: 'close' } }).then(
    ({ status }) => status,
    () => 0,
  );

async function within(milliseconds: number, done: () => Promise<boolean> | boolean): Promise<void> {
  const start = performance.now();
  while (!(await done())) {
    if (performance.now() - start > milliseconds)
      throw new Error(`not within ${milliseconds} ms:\n${service?.output()}`);
    await sleep(20);
  }
}

test('what is in flight is finished before a stop', async () => {
  service = await running(folder.appDir, folder.dataDir);
  const answer = fetch(`${service.url}/slow`);
  await sleep(100);
  const code = service.stop();
  expect(await (await answer).json()).toEqual({ done: true });
  expect(await code).toBe(0);
});

test('a start finds all that it loads kept by one like it', async () => {
  const last = `module.exports = { name: 'last', apply({ hooks }) {
    hooks.lifecycle.warm.tap('last', () => console.log('all are warm'));
  } };`;
  write('last.js', last);
  write('config/plugins.js', "module.exports = { last: { resolve: './last.js' } };");
  const keptBy = async (): Promise<number> => {
    service = await running(folder.appDir, folder.dataDir);
    // One that is told to stop before it is warm loads less than another.
    await within(10_000, () => service!.output().includes('all are warm'));
    await service.stop();
    return statSync(join(folder.dataDir, 'cache', 'loaded-modules')).ino;
  };
  // The first one makes tables, for which it loads more.
  await keptBy();
  const second = await keptBy();
  expect(await keptBy()).toBe(second);
});

test('what first requests need is loaded ahead of them, and kept', async () => {
  service = await running(folder.appDir, folder.dataDir);
  const file = join(folder.dataDir, 'cache', 'loaded-modules');
  await within(10_000, () => existsSync(file));
  expect(readFileSync(file, 'latin1')).toContain(join('node_modules', 'qs', 'lib', 'parse.js'));
});

test('a service that can not be warmed serves all the same, and says so', async () => {
  const failing = `module.exports = { name: 'cold', apply({ hooks }) {
    hooks.lifecycle.warm.tap('cold', () => { throw new Error('on purpose'); });
  } };`;
  write('cold.js', failing);
  write('config/plugins.js', "module.exports = { cold: { resolve: './cold.js' } };");
  write('config/server.js', "module.exports = { logger: { level: 'warn' } };");
  service = await running(folder.appDir, folder.dataDir);
  const { output, url } = service;
  await within(10_000, () => output().includes('could not be loaded ahead of them'));
  expect(output()).toContain('plugin \\"cold\\", hook lifecycle.warm: on purpose');
  expect(await routeStatus(`${url}/api/notes`)).toBe(403);
});

test('a stop waits for no warming', async () => {
  const endless = `module.exports = { name: 'slow', apply({ hooks }) {
    hooks.lifecycle.warm.tapPromise('slow', () => new Promise(() => console.log('warming')));
  } };`;
  write('slow.js', endless);
  service = await running(folder.appDir, folder.dataDir);
  await within(10_000, () => service!.output().includes('warming'));
  expect(await service.stop()).toBe(0);
});

test('a port that is taken is told with what to do', async () => {
  service = await running(folder.appDir, folder.dataDir);
  const { port } = new URL(service.url);
  // As connections to a database do, and subscriptions over Redis.
  const open = `module.exports = { name: 'slow', apply({ hooks }) {
    const timer = setInterval(() => undefined, 1000);
    hooks.lifecycle.close.tap('slow', () => clearInterval(timer));
  } };`;
  write('slow.js', open);
  const args = [launcher, 'start', '--app', folder.appDir, '--data', folder.dataDir, '--port', port];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 20_000 });
  expect(status).toBe(1);
  expect(stderr).toContain(`can't listen on 127.0.0.1:${port} (EADDRINUSE). Stop what listens there`);
  expect(stderr).not.toMatch(/\n\s+at /);
});

test('a start that fails tells why, and behind that what fails as it is given up', () => {
  const failing = `module.exports = { name: 'slow', apply({ hooks }) {
    hooks.lifecycle.boot.tapPromise('slow', async () => { throw new Error('no database'); });
    hooks.lifecycle.close.tapPromise('slow', async () => { throw new Error('nothing to close'); });
  } };`;
  write('slow.js', failing);
  const at = ['--app', folder.appDir, '--data', folder.dataDir];
  for (const command of ['start', 'locale list']) {
    const args = [launcher, ...command.split(' '), ...at];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 20_000 });
    expect(status).toBe(1);
    expect(stderr).toMatch(/hook lifecycle.boot: no database\n.*hook lifecycle.close: nothing to close\n$/);
  }
});

test('dev starts again when files change, and waits while the project is broken', async () => {
  service = await running(folder.appDir, folder.dataDir, 'dev');
  const { url, output } = service;
  expect(await routeStatus(`${url}/api/notes`)).toBe(403);
  expect(await routeStatus(`${url}/api/memos`)).toBe(404);

  write('src/api/memo/content-types/memo/schema.json', {
    ...note({}),
    info: { singularName: 'memo', pluralName: 'memos', displayName: 'Memo' },
  });
  await within(20_000, async () => (await routeStatus(`${url}/api/memos`)) === 403);

  write(schemaFile, note({ title: { type: 'strng' } }));
  await within(20_000, () => output().includes('Did you mean "string"?') && output().includes('Waiting for a change.'));

  write(schemaFile, note({ title: { type: 'string' } }));
  await within(20_000, async () => (await routeStatus(`${url}/api/notes`)) === 403);
}, 60_000);
