import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Application, createApplication, ProjectError } from '../../core';
import { shipped } from '../../plugins/shipped';
import { packageRoot } from '../package-root';
import { singlesAndPairs } from './pairs';

const fixture = join(packageRoot, 'conformance', 'fixtures', 'app');

/** Asked the way a load balancer does, through a server of its own. */
async function readiness({ handler }: Application): Promise<number> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    return (await fetch(`http://127.0.0.1:${port}/_ready`, { headers: { connection: 'close' } })).status;
  } finally {
    server.close();
  }
}

async function started(off: readonly string[], dataDir: string): Promise<string> {
  const app = await createApplication({
    appDir: fixture,
    dataDir,
    shipped,
    env: { ...process.env, LOG_LEVEL: 'silent' },
    overrides: { plugins: Object.fromEntries(off.map((name) => [name, false])) },
  });
  try {
    await app.start();
    const status = await readiness(app);
    if (status !== 204) throw new Error(`started, but /_ready answers ${status}`);
    return `starts with ${app.routes().length} routes`;
  } finally {
    await app.close();
  }
}

/** A refusal is as good as a start where it names a plugin that was switched off, and what needs it. */
async function outcome(off: readonly string[]): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'heddle-switches-'));
  try {
    return await started(off, dataDir);
  } catch (error) {
    const isClear =
      error instanceof ProjectError &&
      error.problems.every(({ what }) => off.some((name) => what.startsWith(`requires plugin "${name}"`)));
    if (!isClear) throw error;
    return `is refused: ${error.problems.map(({ where, what }) => `${where} ${what}`).join(' ')}`;
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

async function main(): Promise<void> {
  for (const off of singlesAndPairs(Object.keys(shipped.plugins))) {
    const name = off.join(' and ');
    try {
      console.log(`ok   without ${name} the fixture application ${await outcome(off)}`);
    } catch (error) {
      console.log(`FAIL without ${name}: ${(error as Error).message}`);
      process.exitCode = 1;
    }
  }
}

void main();
