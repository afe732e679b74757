import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, launcher } from '../ci/running';
import { packageRoot } from '../package-root';
import { environmentOf, type Place } from './databases';

export type Caller = 'token' | 'public';

export interface Running {
  readonly url: string;
  readonly pid: number;
  /** Milliseconds from the command to the first answer. */
  readonly startUp: number;
  headers(as: Caller): Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Something that is measured: it is started on a filled database. */
export interface Candidate {
  readonly name: 'heddle' | 'floor' | 'peer';
  start(place: Place): Promise<Running>;
}

const patience = 60_000;

/** Asked so often that it has to cost what starts next to nothing. */
const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false)).once('connect', () => socket.destroy());
  });

const answers = async (url: string, port: number): Promise<boolean> =>
  (await listens(port)) &&
  fetch(`${url}/_health`, { headers: { connection: 'close' } }).then(
    ({ ok }) => ok,
    () => false,
  );

interface Command {
  readonly file: string;
  readonly args: (port: number) => readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly token: () => string;
}

async function run(name: string, { file, args, environment, token }: Command): Promise<Running> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const begun = performance.now();
  const env = { ...process.env, NODE_ENV: 'production', ...environment, PORT: String(port) };
  const child: ChildProcess = spawn(file, args(port), { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk: Buffer) => (output += chunk));
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  while (!(await answers(url, port))) {
    if (child.exitCode !== null || performance.now() - begun > patience) {
      await stop();
      throw new Error(`${name} did not start:\n${output}`);
    }
    await sleep(5);
  }
  return {
    url,
    pid: child.pid!,
    startUp: performance.now() - begun,
    headers: (as): Record<string, string> => (as === 'token' ? { authorization: `Bearer ${token()}` } : {}),
    stop,
  };
}

const key = 'bench';
const fixture = join(packageRoot, 'conformance', 'fixtures', 'app');

export const heddle: Candidate = {
  name: 'heddle',
  start: (place) =>
    run('heddle', {
      file: launcher,
      args: (port) => ['start', '--app', fixture, '--data', place.folder, '--port', String(port)],
      environment: { ...environmentOf(place), CONFORMANCE_TOKEN: key },
      token: () => key,
    }),
};

/** What can be reached by hand, without any of what makes a content service. On SQLite only. */
export const floor: Candidate = {
  name: 'floor',
  start: (place) =>
    run('the floor', {
      file: process.execPath,
      args: () => [join(__dirname, 'floor', 'server.js'), place.name],
      environment: {},
      token: () => key,
    }),
};

/** A copy of a project inside the place, where its token and its uploads go; packages are shared. */
function projectIn(place: Place, folder: string): string {
  const project = join(place.folder, 'peer');
  if (existsSync(project)) return project;
  const packages = join(folder, 'node_modules');
  cpSync(folder, project, { recursive: true, filter: (path) => path !== packages && basename(path) !== 'token' });
  symlinkSync(packages, join(project, 'node_modules'));
  return project;
}

/** A Strapi project in a folder that has a script `start`, and writes its token into the file `token`. */
export const peerIn = (folder: string): Candidate => ({
  name: 'peer',
  async start(place) {
    const project = projectIn(place, folder);
    return run('the peer', {
      file: join(project, 'start'),
      args: (port) => [String(port)],
      environment: environmentOf(place),
      token: () => readFileSync(join(project, 'token'), 'utf8').trim(),
    });
  },
});
