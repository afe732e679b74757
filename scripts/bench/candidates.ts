import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { launcher } from '../ci/running';
import { cleanedUp } from '../clean-up';
import { packageRoot } from '../package-root';
import { environmentOf, type Place } from './databases';
import { removeHeddlesOwn } from './heddles-own';
import { type Running, startService } from './service';

/** Something that is measured: it is started on a filled database. */
export interface Candidate {
  readonly name: 'heddle' | 'floor' | 'peer';
  /** Makes what Heddle filled, and only this one will use, what this one would have made. */
  readonly adopt?: (place: Place) => Promise<void>;
  start(place: Place): Promise<Running>;
}

/** Works with a service that is stopped behind that. */
export async function withService<T>(
  candidate: Candidate,
  place: Place,
  work: (service: Running) => Promise<T>,
): Promise<T> {
  const service = await candidate.start(place);
  return cleanedUp(() => work(service), service.stop);
}

const key = 'bench';
const fixture = join(packageRoot, 'conformance', 'fixtures', 'app');

export const heddle: Candidate = {
  name: 'heddle',
  start: (place) =>
    startService('heddle', {
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
    startService('the floor', {
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
  adopt: removeHeddlesOwn,
  async start(place) {
    const project = projectIn(place, folder);
    return startService('the peer', {
      file: join(project, 'start'),
      args: (port) => [String(port)],
      environment: environmentOf(place),
      token: () => readFileSync(join(project, 'token'), 'utf8').trim(),
    });
  },
});
