import { dirname, join } from 'node:path';
import { type ContentType, readSchemas } from '../own/schemas';
import { type Specification, specFolder } from '../runner/load';
import type { Row, Scenes, Step } from '../runner/row';
import { idle, type Selection, selects } from '../runner/select';
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

/** What shows whether a type may be read, by little of it. */
const listOf = ({ isSingle, path }: Pick<ContentType, 'isSingle' | 'path'>): string =>
  isSingle ? path : `${path}?pagination%5BpageSize%5D=1`;

/** Lists that any deployment may have, and none shows without asking who is there. */
const ofPlugins = ['/api/users?limit=1', '/api/upload/files?pagination%5BpageSize%5D=1'];

const refused = (target: Target): Error => new Error(`${target.name} refuses the token with 401. ${fullAccess}`);

/** A token that nothing takes is none; one route may have reasons of its own. */
async function checkToken(target: Target, paths: readonly string[], timeout: number): Promise<void> {
  if (!target.token || paths.length === 0) return;
  const statusOf = statusesBy(target, timeout);
  let isRefused = false;
  for (const path of paths) {
    const status = await statusOf('GET', path);
    if (status !== 401 && status !== 404) return;
    isRefused ||= status === 401;
  }
  if (isRefused) throw refused(target);
}

/** The lists of the content types that rows are about, and whether these rows write. */
interface Wanted {
  readonly collections: readonly string[];
  readonly writes: boolean;
}

async function checkFixtures(target: Target, { collections, writes }: Wanted, timeout: number): Promise<void> {
  const statusOf = statusesBy(target, timeout);
  const refuse = (status: number, asked: string): void => {
    if (status === 401 && target.token) throw refused(target);
    if (status !== 401 && status !== 403) return;
    const who = target.token ? 'the token' : 'somebody without a token';
    throw new Error(`${target.name} does not let ${who} do what rows do: ${asked} is ${status}. ${fullAccess}`);
  };
  for (const path of collections) {
    const status = await statusOf('GET', listOf({ isSingle: false, path }));
    refuse(status, `GET ${path}`);
    if (status === 404)
      throw new Error(
        `${target.name} does not serve the content types that the rows are about: GET ${path} is 404. ` +
          'Add them to its project by --fixtures-into DIR, or give --schema DIR for rows about its own, or --smoke.',
      );
  }
  // There is nothing to delete: whether it may is all that this asks.
  const path = `${collections[0]!}/${nobody}`;
  if (writes) refuse(await statusOf('DELETE', path), `DELETE ${path}`);
}

const playedOf = ({ target, rows }: Suite, selection: Selection): Row[] =>
  rows.filter((row) => selects(selection, row) && !idle(row, target, selection));

/** Rows ask as the holder of the token, unless they say otherwise; nobody in particular would be refused, row after row. */
function checkTokenGiven({ token, name }: Target, played: readonly Row[], scenes: Scenes): void {
  const asksByToken = ({ request }: Step): boolean => (request.as ?? 'token') === 'token';
  const row = played.find(({ steps, scene }) => [...steps, ...(scenes[scene ?? '']?.steps ?? [])].some(asksByToken));
  if (row && !token)
    throw new Error(`No token for ${name} was given, and ${row.id} needs one, as others may. ${fullAccess}`);
}

/** What the chosen rows want, and the data sets that they share. */
function wantedBy(
  played: readonly Row[],
  { scenes }: Pick<Specification, 'scenes'>,
  types: readonly ContentType[],
): Wanted {
  const text = JSON.stringify(played.map(({ scene, steps }) => [steps, scene && scenes[scene]]));
  return {
    collections: types.filter(({ isSingle, path }) => !isSingle && text.includes(path)).map(({ path }) => path),
    writes: /"method":"(POST|PUT|DELETE)"/.test(text),
  };
}

/** Refuses a target that the chosen rows can't be played against. */
export async function refuseUnfit(
  { smoke, schema }: Pick<ConformOptions, 'smoke' | 'schema'>,
  settings: Settings,
  specification: Pick<Specification, 'scenes'>,
  suite: Suite,
): Promise<void> {
  const { target } = suite;
  const { timeout, off, features } = settings;
  if (schema) return checkToken(target, readSchemas(schema).types.map(listOf), timeout);
  const { types } = readSchemas(join(dirname(specFolder()), 'fixtures', 'app'));
  const played = playedOf(suite, settings);
  checkTokenGiven(target, played, specification.scenes);
  const wanted = wantedBy(played, specification, types);
  const hasRest = !off.includes('rest') && (features?.includes('rest') ?? true);
  if (!smoke && hasRest && wanted.collections.length > 0) return checkFixtures(target, wanted, timeout);
  return checkToken(target, [...ofPlugins, ...(smoke ? [] : types.map(listOf))], timeout);
}
