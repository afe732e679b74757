import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import type { DialectName } from '../dialects/dialect';

// For tests: a Strapi 5 project, started on a database and asked over HTTP.

export interface Peer {
  /** As everyone, or with a token. */
  readonly get: (path: string, key?: string) => Promise<unknown>;
  readonly post: (path: string, data: object) => Promise<unknown>;
  readonly stop: () => Promise<void>;
}

const clients: Readonly<Record<DialectName, Readonly<Record<string, string>>>> = {
  sqlite: { DATABASE_CLIENT: 'sqlite' },
  mysql: { DATABASE_CLIENT: 'mysql', DATABASE_PORT: '3306', DATABASE_USERNAME: 'root' },
  postgres: { DATABASE_CLIENT: 'postgres', DATABASE_PORT: '5432', DATABASE_USERNAME: 'postgres' },
};

const script = `require('@strapi/strapi').createStrapi({
  appDir: process.cwd(), distDir: process.cwd(), autoReload: false, serveAdminPanel: false,
}).start()`;

const patience = 120_000;

/** `folder` is a project whose configuration reads PORT and the DATABASE_ variables. */
export async function startPeer(folder: string, dialect: DialectName, database: string): Promise<Peer> {
  const port = await freePort();
  const env = {
    ...process.env,
    ...clients[dialect],
    ...{ DATABASE_FILENAME: database, DATABASE_NAME: database, DATABASE_HOST: '127.0.0.1', DATABASE_PASSWORD: '' },
    ...{ NODE_ENV: 'production', PORT: String(port), STRAPI_TELEMETRY_DISABLED: 'true' },
  };
  const child = spawn(process.execPath, ['-e', script], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaints += chunk.toString();
  });
  const origin = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + patience;
  while (!(await isUp(origin))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop(child);
      throw new Error(`The peer did not start on ${dialect}. ${complaints}`);
    }
    await sleep(200);
  }
  return {
    get: (path, key) =>
      ask(`${origin}${path}`, key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } }),
    post: (path, data) =>
      ask(`${origin}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ data }),
      }),
    stop: () => stop(child),
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function isUp(origin: string): Promise<boolean> {
  try {
    return (await fetch(`${origin}/_health`)).status === 204;
  } catch {
    return false;
  }
}

async function ask(url: string, init?: RequestInit): Promise<unknown> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${init?.method ?? 'GET'} ${url}: ${response.status} ${text}`);
  return JSON.parse(text);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const forced = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await gone;
  clearTimeout(forced);
}
