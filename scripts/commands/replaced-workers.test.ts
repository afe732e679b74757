import cluster, { type Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startWorkers } from './workers';
import { answering, processes, workersApp } from './workers-app.fixture';

const app = workersApp();

test('nobody waits for an answer of a worker that has ended', async () => {
  const service = await app.start(2);
  const { url } = service;
  const failures = new Set<string>();
  let isOver = false;
  const asking = Array.from({ length: 32 }, async () => {
    while (!isOver) await answering(url).catch(({ name }: Error) => failures.add(name));
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

test('workers that had too many files open serve again once they have not', async () => {
  const service = await app.start(2, { openFiles: 120 });
  await processes(service.url, 2);
  const { port, hostname } = new URL(service.url);
  const crowd: Socket[] = [];
  for (let count = 0; count < 300; count += 1) {
    crowd.push(connect(Number(port), hostname).on('error', () => undefined));
    // Slowly, so that the primary takes all of them in.
    await sleep(2);
  }
  await sleep(200);
  for (const socket of crowd) socket.destroy();
  expect((await processes(service.url, 2)).size).toBe(2);
  expect(await service.stop()).toBe(0);
}, 60_000);

test('a stop from a terminal is a clean one also while a worker that is replaced has not begun to serve', async () => {
  const service = await app.start(2);
  const first = await processes(service.url, 2);
  process.kill([...first][0]!, 'SIGKILL');
  const children = `/proc/${service.pid}/task/${service.pid}/children`;
  const added = (): number | undefined =>
    readFileSync(children, 'utf8')
      .trim()
      .split(' ')
      .map(Number)
      .find((pid) => !first.has(pid));
  let begun: number | undefined;
  for (let tries = 0; begun === undefined && tries < 1000; tries += 1) {
    await sleep(5);
    begun = added();
  }
  process.kill(begun!, 'SIGINT');
  process.kill(service.pid, 'SIGINT');
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
  app.write('config/plugins.js', config);
  app.write('fragile.js', fragile);
  const service = await app.start(2);
  const [victim, survivor] = [...(await processes(service.url, 2))] as [number, number];
  app.write('broken', '');
  process.kill(victim, 'SIGKILL');
  for (let tries = 0; !service.output().includes('broken today') && tries < 500; tries += 1) await sleep(20);
  expect(await processes(service.url, 1)).toEqual(new Set([survivor]));
  rmSync(join(app.folder().appDir, 'broken'));
  const later = await processes(service.url, 2);
  expect(later.size).toBe(2);
  expect(later).toContain(survivor);
  expect(service.output()).toContain('ended with the code 1; another one takes its place.');
  expect(await service.stop()).toBe(0);
}, 60_000);

test('a stop while a worker waits to be replaced is a clean one', async () => {
  const service = await app.start(2);
  const [victim] = [...(await processes(service.url, 2))] as [number, number];
  process.kill(victim, 'SIGKILL');
  for (let tries = 0; !service.output().includes('takes its place') && tries < 500; tries += 1) await sleep(5);
  expect(await service.stop()).toBe(0);
}, 60_000);

test('a stop does not wait until a worker would have been replaced', async () => {
  const service = await app.start(1);
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
  app.write(
    'config/plugins.js',
    `module.exports = {
      who: { resolve: './who.js' },
      'users-permissions': { config: { ratelimit: { enabled: true, max: 1000, interval: 60000 } } },
    };`,
  );
  const service = await app.start(2);
  const { url, pid } = service;
  const workers = await processes(url, 2);
  const login = (): Promise<unknown> =>
    fetch(`${url}/api/auth/local`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ identifier: 'nobody', password: 'nothing' }),
      // A busy machine may not get through all of them.
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

/** A worker that does nothing but end when it is told to. */
function idleWorker(pid: number | undefined): Worker {
  const child = Object.assign(new EventEmitter(), { pid, send: () => true, kill: () => worker.emit('exit', 0, null) });
  const worker = Object.assign(new EventEmitter(), { id: 1, process: child, isDead: () => false });
  return worker as unknown as Worker;
}

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
      const worker = idleWorker(undefined);
      setImmediate(() => worker.emit('error', new Error('spawn ENOMEM')));
      return worker;
    },
  ],
];

describe.each(failures)('that a worker can not be made, where it shows %s,', (_, failing) => {
  let output: string[];
  const start = (): Promise<number> => startWorkers({ app: app.folder().appDir, data: app.folder().dataDir }, 1);
  beforeEach(() => {
    output = [];
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => output.push(String(text)) > 0);
    Object.assign(cluster, { workers: {} });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test('ends the first start', async () => {
    jest.spyOn(cluster, 'fork').mockImplementation(failing);
    expect(await start()).toBe(1);
    expect(output).toEqual(['A worker could not be made: spawn ENOMEM.\n']);
  });

  test('is tried again once others have served', async () => {
    const fork = jest.spyOn(cluster, 'fork');
    const made = [idleWorker(1), idleWorker(2)] as const;
    fork.mockReturnValueOnce(made[0]).mockImplementationOnce(failing).mockReturnValueOnce(made[1]);
    const code = start();
    made[0].emit('listening');
    made[0].emit('exit', 1, null);
    for (let tries = 0; fork.mock.calls.length < 3 && tries < 500; tries += 1) await sleep(10);
    process.emit('SIGTERM');
    expect(await code).toBe(0);
    expect(output).toEqual([
      'Worker 1 ended with the code 1; another one takes its place.\n',
      'A worker could not be made: spawn ENOMEM; another one takes its place.\n',
    ]);
  });
});
