import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AppFolder, appFolder } from '../../core/testing/app-folder';
import { type Running, running } from '../ci/running';

// For tests: an application for several workers, each of which tells its process.

const who = `
module.exports = {
  name: 'who',
  apply({ hooks }) {
    hooks.http.routes.tap('who', (routes) => {
      routes.add({ method: 'GET', path: '/who', access: 'open', async handle(context) { context.body = { pid: process.pid }; } });
    });
  },
};`;

/** How long an answer may take that is given at all. */
const patience = 10_000;

export async function answering(url: string): Promise<number> {
  const signal = AbortSignal.timeout(patience);
  const answer = await fetch(`${url}/who`, { headers: { connection: 'close' }, signal });
  return ((await answer.json()) as { pid: number }).pid;
}

/** The processes that have answered by the time there are so many of them. */
export async function processes(url: string, count: number): Promise<Set<number>> {
  const found = new Set<number>();
  for (let tries = 0; found.size < count && tries < 500; tries += 1) {
    found.add(await answering(url).catch(() => 0));
    found.delete(0);
    await sleep(10);
  }
  return found;
}

export interface WorkersApp {
  readonly folder: () => AppFolder;
  write(path: string, content: string): void;
  /** Lets so many workers serve until the test ends. */
  start(count: number, limits?: { readonly openFiles: number }): Promise<Running>;
}

/** One for each test. */
export function workersApp(): WorkersApp {
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
  return {
    folder: () => folder,
    write(path, content) {
      const file = join(folder.appDir, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    },
    async start(count, limits) {
      const args = ['--workers', String(count)];
      service = await running(folder.appDir, folder.dataDir, 'start', { args, ...limits });
      return service;
    },
  };
}
