import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { appFolder } from '../../core/testing/app-folder';
import { launcher } from '../ci/running';
import { slowPlugin } from './slow-plugin.fixture';
import { processes, workersApp } from './workers-app.fixture';

const app = workersApp();

test('workers share a port, and one that ends is replaced', async () => {
  const service = await app.start(2);
  const { url, pid } = service;
  const first = await processes(url, 2);
  expect(first.size).toBe(2);
  expect(first).not.toContain(pid);

  const [victim, survivor] = [...first] as [number, number];
  process.kill(victim, 'SIGKILL');
  await sleep(500);
  const later = new Set<number>();
  for (let tries = 0; later.size < 2 && tries < 500; tries += 1)
    later.add((await processes(url, 1)).values().next().value!);
  expect(later).toContain(survivor);
  expect(later).not.toContain(victim);
  expect(service.output()).toContain('ended with SIGKILL; another one takes its place.');

  expect(await service.stop()).toBe(0);
}, 60_000);

test('what is in flight is finished when a signal reaches all processes at once', async () => {
  app.write('config/plugins.js', "module.exports = { who: { resolve: './who.js' }, slow: { resolve: './slow.js' } };");
  app.write('slow.js', slowPlugin(800));
  const service = await app.start(2);
  const workers = await processes(service.url, 2);
  const answers = [1, 2, 3, 4].map(() => fetch(`${service.url}/slow`, { headers: { connection: 'close' } }));
  await sleep(200);
  for (const pid of workers) process.kill(pid, 'SIGTERM');
  await sleep(50);
  const code = service.stop();
  for (const answer of answers) expect(await (await answer).json()).toEqual({ done: true });
  expect(await code).toBe(0);
}, 60_000);

/** Everyone may do everything, and what is written says by which process. */
const open = `
module.exports = {
  name: 'open',
  apply({ hooks }) {
    hooks.http.authorize.tapPromise('open', async () => true);
    hooks.document.data.tapPromise('open', async (data) => ({ ...data, text: String(process.pid) }));
  },
};`;

const note = {
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes: { text: { type: 'string' } },
};

test('a subscriber of one worker hears what happens in the others', async () => {
  const plugins = "{ open: { resolve: './open.js' }, graphql: { config: { subscriptions: true } } }";
  app.write('config/plugins.js', `module.exports = ${plugins};`);
  app.write('open.js', open);
  app.write('src/api/note/content-types/note/schema.json', JSON.stringify(note));
  const service = await app.start(2);
  const { url } = service;
  const stop = new AbortController();
  const query = encodeURIComponent('subscription { noteCreated { text } }');
  const events = await fetch(`${url}/graphql?query=${query}`, {
    headers: { accept: 'text/event-stream' },
    signal: stop.signal,
  });
  const reader = events.body!.pipeThrough(new TextDecoderStream()).getReader();
  const heard = new Set<string>();
  while (heard.size < 2) {
    const next = reader.read();
    await fetch(`${url}/api/notes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: '{"data":{}}',
    });
    for (const [, pid] of (await next).value!.matchAll(/"text":"(\d+)"/g)) heard.add(pid!);
  }
  stop.abort();
  expect(await service.stop()).toBe(0);
}, 60_000);

test('an application that can not start is told once, and none is tried again', () => {
  const broken = appFolder({ 'config/plugins.js': "module.exports = { nobody: { resolve: './nobody.js' } };" });
  const args = [launcher, 'start', '--app', broken.appDir, '--data', broken.dataDir, '--port', '0', '--workers', '3'];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 });
  broken.remove();
  expect(status).toBe(1);
  expect(stderr.match(/nobody\.js/g)).toHaveLength(1);
  expect(stderr).not.toContain('takes its place');
}, 60_000);

test('a number of workers that makes no sense is refused', () => {
  const { status, stderr } = spawnSync(process.execPath, [launcher, 'start', '--workers', '0'], { encoding: 'utf8' });
  expect(status).toBe(2);
  expect(stderr).toContain('Give a number from 1 to 256, or max.');
});
