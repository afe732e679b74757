import { dirname, join } from 'node:path';
import { type ContentType, readSchemas } from '../own/schemas';
import { specFolder } from '../runner/load';
import type { Row } from '../runner/row';
import { type Selection, selects } from '../runner/select';
import type { Target } from '../targets/target';
import type { ConformOptions, Settings } from './settings';
import type { Suite } from './suite';

// What no run can do without is asked for before anything is made: otherwise row after row would fail for the same reason, and what
// rows had made could not be taken away.

const fullAccess = 'Give a full-access API token of it, by --token or CONFORMANCE_TOKEN.';

/** No document's identifier. */
const nobody = 'no-such-document-of-mine';

const statusesBy =
  (target: Target, timeout: number) =>
  async (method: string, path: string): Promise<number> => {
    const headers: Record<string, string> = { accept: 'application/json' };
    if (target.token) headers['authorization'] = `Bearer ${target.token}`;
    return (await target.send({ method, path, headers }, AbortSignal.timeout(timeout))).status;
  };

export async function reach(target: Target, timeout: number): Promise<void> {
  try {
    await target.send({ method: 'GET', path: '/api', headers: {} }, AbortSignal.timeout(timeout));
  } catch (error) {
    const { cause, message } = error as Error & { cause?: Error };
    throw new Error(`${target.name} does not answer: ${cause?.message || message}`);
  }
}

const collectionsIn = (dir: string): string[] =>
  readSchemas(dir).types.flatMap(({ isSingle, path }: ContentType) => (isSingle ? [] : [path]));

/** Lists that any deployment may have, and none shows without asking who is there. */
const ofPlugins = ['/api/users', '/api/upload/files'];

function refuseStatus(target: Target, status: number, asked: string): void {
  if (status === 401 && target.token) throw new Error(`${target.name} refuses the token with 401. ${fullAccess}`);
  if (status !== 401 && status !== 403) return;
  const who = target.token ? 'the token' : 'somebody without a token';
  throw new Error(`${target.name} does not let ${who} do what rows do: ${asked} is ${status}. ${fullAccess}`);
}

const fixtureCollections = (): string[] => collectionsIn(join(dirname(specFolder()), 'fixtures', 'app'));

async function checkFixtures(
  target: Target,
  collections: readonly string[],
  { timeout, off, features }: Settings,
): Promise<void> {
  const statusOf = statusesBy(target, timeout);
  const hasRest = !off.includes('rest') && (features?.includes('rest') ?? true);
  for (const path of collections) {
    const status = await statusOf('GET', path);
    refuseStatus(target, status, `GET ${path}`);
    if (status === 404 && hasRest)
      throw new Error(
        `${target.name} does not serve the content types that the rows are about: GET ${path} is 404. ` +
          'Add them to its project by --fixtures-into DIR, or give --schema DIR for rows about its own, or --smoke.',
      );
  }
  // There is nothing to delete: whether it may is all that this asks.
  const path = `${collections[0]!}/${nobody}`;
  refuseStatus(target, await statusOf('DELETE', path), `DELETE ${path}`);
}

/** Where rows only read, or are about anybody, a token is at least not to be refused. */
async function checkToken(target: Target, paths: readonly string[], timeout: number): Promise<void> {
  const statusOf = statusesBy(target, timeout);
  for (const path of target.token ? paths : [])
    if ((await statusOf('GET', path)) === 401) refuseStatus(target, 401, `GET ${path}`);
}

/** Whether a row makes documents of these types. */
function isAbout({ scene, steps }: Row, collections: readonly string[]): boolean {
  const text = JSON.stringify(steps);
  return scene !== undefined || collections.some((path) => text.includes(path));
}

/** Refuses a target that the chosen rows can't be played against. */
export async function refuseUnfit(
  { smoke, schema }: Pick<ConformOptions, 'smoke' | 'schema'>,
  settings: Settings & Selection,
  { target, rows }: Suite,
): Promise<void> {
  if (schema) return checkToken(target, collectionsIn(schema), settings.timeout);
  const collections = smoke ? [] : fixtureCollections();
  const isAboutFixtures = rows.some((row) => selects(settings, row) && isAbout(row, collections));
  return isAboutFixtures
    ? checkFixtures(target, collections, settings)
    : checkToken(target, ofPlugins, settings.timeout);
}
