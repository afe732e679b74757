import { spawnSync } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AppFolder, appFolder } from '../../core/testing/app-folder';
import { launcher, type Running, running } from '../ci/running';
import { slowPlugin } from './slow-plugin.fixture';
import { startWorkers } from './workers';

const who = `
module.exports = {
  name: 'who',
  apply({ hooks }) {
    hooks.http.routes.tap('who', (routes) => {
      routes.add({ method: 'GET', path: '/who', access: 'open', async handle(context) { context.body = { pid: process.pid }; } });
    });
  },
};`;

let folder: AppFolder;
let service: Running | undefined;

beforeEach(() => {
  folder = appFolder({ 'config/plugins.js': "module.exports = { who: { resolve: './who.js' } };", 'who.js': who });
});
afterEach(async () => {
  await service?.stop();
  service = undefined;
  folder.remove();
});

const write = (path: string, content: string): void => writeFileSync(join(folder.appDir, path), content);

/** How long an answer may take that is given at all. */
const patience = 10_000;

async function answering(url: string): Promise<number> {
  const answer = await fetch(`${url}/who`, { headers: { connection: 'close' }, signal: AbortSignal.timeout(patience) });
  return ((await answer.json()) as { pid: number }).pid;
}

/** The processes that have answered by the time there are so many of them. */
async function processes(url: string, count: number): Promise<Set<number>> {
  const found = new Set<number>();
  for (let tries = 0; found.size < count && tries < 500; tries += 1) {
    found.add(await answering(url).catch(() => 0));
    found.delete(0);
    await sleep(10);
  }
  return found;
}

test('workers share a port, and one that ends is replaced', async () => {
  service = await running(folder.appDir, folder.dataDir, 'start', { args: ['--workers', '2'] });
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
  write('config/plugins.js', "module.exports = { who: { resolve: './who.js' }, slow: { resolve: './slow.js' } };");
  write('slow.js', slowPlugin(800));
  service = await running(folder.appDir, folder.dataDir, 'start', { args: ['--workers', '2'] });
  const workers = await processes(service.url, 2);
  const answers = [1, 2, 3, 4].map(() => fetch(`${service!.url}/slow`, { headers: { connection: 'close' } }));
  await sleep(200);
  for (const pid of workers) process.kill(pid, 'SIGTERM');
  await sleep(50);
  const code = service.stop();
  for (const answer of answers) expect(await (await answer).json()).toEqual({ done: true });
  expect(await code).toBe(0);
}, 60_000);

test('nobody waits for an answer of a worker that has ended', async () => {
  service = await running(folder.appDir, folder.dataDir, 'start', { args: ['--workers', '2'] });
  const { url } = service;
  const failures: string[] = [];
  let isOver = false;
  const asking = Array.from({ length: 32 }, async () => {
    while (!isOver) await answering(url).catch(({ name }: Error) => failures.push(name));
  });
  for (let times = 0; times < 3; times += 1) {
    const [victim] = await processes(url, 2);
    await sleep(200);
    process.kill(victim!, 'SIGKILL');
    await sleep(50);
  }
  isOver = true;
  await Promise.all(asking);
  // Those that it had taken fail at once.
  expect(failures).not.toContain('TimeoutError');
  expect((await processes(url, 2)).size).toBe(2);
  expect(await service.stop()).toBe(0);
}, 60_000);

/** Lets an application start as long as there is no file beside it that says otherwise. */
const fragile = `
const { existsSync } = require('node:fs');
const { join } = require('node:path');
module.exports = {
  name: 'fragile',
  apply({ hooks }) {
    hooks.lifecycle.boot.tapPromise('fragile', async () => {
      if (existsSync(join(__dirname, 'broken'))) throw new Error('It is broken today.');
    });
  },
};`;

test('a worker that can not be replaced at once is tried again, while the others serve', async () => {
  const config = "module.exports = { who: { resolve: './who.js' }, fragile: { resolve: './fragile.js' } };";
  write('config/plugins.js', config);
  write('fragile.js', fragile);
  service = await running(folder.appDir, folder.dataDir, 'start', { args: ['--workers', '2'] });
  const [victim, survivor] = [...(await processes(service.url, 2))] as [number, number];
  write('broken', '');
  process.kill(victim, 'SIGKILL');
  for (let tries = 0; !service.output().includes('broken today') && tries < 500; tries += 1) await sleep(20);
  expect(await processes(service.url, 1)).toEqual(new Set([survivor]));
  rmSync(join(folder.appDir, 'broken'));
  const later = await processes(service.url, 2);
  expect(later.size).toBe(2);
  expect(later).toContain(survivor);
  expect(service.output()).toContain('ended with the code 1; another one takes its place.');
  expect(await service.stop()).toBe(0);
}, 60_000);

test('a stop while a worker waits to be replaced is a clean one', async () => {
  service = await running(folder.appDir, folder.dataDir, 'start', { args: ['--workers', '2'] });
  const [victim] = [...(await processes(service.url, 2))] as [number, number];
  process.kill(victim, 'SIGKILL');
  for (let tries = 0; !service.output().includes('takes its place') && tries < 500; tries += 1) await sleep(5);
  expect(await service.stop()).toBe(0);
}, 60_000);

test('a stop does not wait until a worker would have been replaced', async () => {
  service = await running(folder.appDir, folder.dataDir, 'start', { args: ['--workers', '1'] });
  let victim: number | undefined;
  // The third pause is one of two seconds.
  for (let times = 0; times < 3; times += 1) {
    const [next] = await processes(service.url, 1);
    expect(next).not.toBe(victim);
    victim = next!;
    process.kill(victim, 'SIGKILL');
    for (let tries = 0; (service.output().match(/takes its place/g)?.length ?? 0) <= times && tries < 500; tries += 1)
      await sleep(5);
    expect(service.output().match(/takes its place/g)).toHaveLength(times + 1);
  }
  const begun = performance.now();
  expect(await service.stop()).toBe(0);
  expect(performance.now() - begun).toBeLessThan(1_500);
}, 60_000);

test('a worker that ends while it is owed answers is replaced like any other', async () => {
  write(
    'config/plugins.js',
    `module.exports = {
      who: { resolve: './who.js' },
      'users-permissions': { config: { ratelimit: { enabled: true, max: 1000, interval: 60000 } } },
    };`,
  );
  service = await running(folder.appDir, folder.dataDir, 'start', { args: ['--workers', '2'] });
  const { url, pid } = service;
  const workers = await processes(url, 2);
  const login = (): Promise<unknown> =>
    fetch(`${url}/api/auth/local`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ identifier: 'nobody', password: 'nothing' }),
      // What was on its way to the one that ends may never be answered.
      signal: AbortSignal.timeout(5_000),
    }).catch(() => undefined);
  // Their connections stay, so that what follows reaches the workers while the one that counts is busy, and what they ask it waits.
  await Promise.all(Array.from({ length: 40 }, login));
  process.kill(pid, 'SIGSTOP');
  const asked = Array.from({ length: 40 }, login);
  try {
    await sleep(500);
    process.kill([...workers][0]!, 'SIGKILL');
    await sleep(100);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  for (let tries = 0; !service.output().includes('takes its place') && tries < 500; tries += 1) await sleep(10);
  expect(service.output()).toContain('ended with SIGKILL; another one takes its place.');
  await Promise.all(asked);
  expect((await processes(url, 2)).size).toBe(2);
  expect(service.output()).not.toContain('EPIPE');
  expect(await service.stop()).toBe(0);
}, 60_000);

/** Node throws what keeps it from making a process, or tells of it later. */
const failures: readonly (readonly [string, () => Worker])[] = [
  [
    'at once',
    () => {
      throw new Error('spawn ENOMEM');
    },
  ],
  [
    'later',
    () => {
      const worker = Object.assign(new EventEmitter(), { process: { pid: undefined }, isDead: () => false });
      setImmediate(() => worker.emit('error', new Error('spawn ENOMEM')));
      return worker as unknown as Worker;
    },
  ],
];

test.each(failures)('that no worker can be made at the first start is told, where it shows %s', async (_, failing) => {
  const fork = jest.spyOn(cluster, 'fork').mockImplementation(failing);
  const said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const code = await startWorkers({ app: folder.appDir, data: folder.dataDir }, 1);
  const output = said.mock.calls.map(([text]) => String(text));
  said.mockRestore();
  fork.mockRestore();
  expect(code).toBe(1);
  expect(output).toEqual(['A worker could not be made: spawn ENOMEM.\n']);
});

/** Everyone may do everything, and what is written says by which process. */
const open = `
module.exports = {
  name: 'open',
  apply({ hooks }) {
    hooks.http.authorize.tapPromise('open', async () => true);
    hooks.document.data.tapPromise('open', async (data) => ({ ...data, text: String(process.pid) }));
  },
};`;

const note = { kind: 'collectionType', info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' } };

test('a subscriber of one worker hears what happens in the others', async () => {
  const subscribing = appFolder({
    'config/plugins.js':
      "module.exports = { open: { resolve: './open.js' }, graphql: { config: { subscriptions: true } } };",
    'open.js': open,
    'src/api/note/content-types/note/schema.json': JSON.stringify({
      ...note,
      attributes: { text: { type: 'string' } },
    }),
  });
  try {
    service = await running(subscribing.appDir, subscribing.dataDir, 'start', { args: ['--workers', '2'] });
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
  } finally {
    await service?.stop();
    service = undefined;
    subscribing.remove();
  }
}, 60_000);

test('an application that can not start is told once for each worker, and none is tried again', () => {
  const broken = appFolder({ 'config/plugins.js': "module.exports = { nobody: { resolve: './nobody.js' } };" });
  const args = [launcher, 'start', '--app', broken.appDir, '--data', broken.dataDir, '--port', '0', '--workers', '2'];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 });
  broken.remove();
  expect(status).toBe(1);
  expect(stderr).toContain('nobody.js');
  expect(stderr).not.toContain('takes its place');
}, 60_000);

test('a number of workers that makes no sense is refused', () => {
  const { status, stderr } = spawnSync(process.execPath, [launcher, 'start', '--workers', '0'], { encoding: 'utf8' });
  expect(status).toBe(2);
  expect(stderr).toContain('Give a number from 1 to 256, or max.');
});
