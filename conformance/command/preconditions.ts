import { dirname, join } from 'node:path';
import { type ContentType, readSchemas } from '../own/schemas';
import { type Specification, specFolder } from '../runner/load';
import { graphql, registration } from '../runner/made';
import { type Row, type Scenes, type Step, tokenKinds } from '../runner/row';
import { idle, type Selection, selects } from '../runner/select';
import { pick } from '../runner/template';
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

/** The address that rows are played against. */
const whichAddress = 'Give the address below which /api is, as http://127.0.0.1:1337.';

/** Nothing that any service has. */
const nowhere = '/api/no-such-path-of-mine';

/** What takes any path, as a web server with one page for all, would let rows about refusals fail, and others pass by chance. */
export async function reach(target: Target, timeout: number): Promise<void> {
  const request = { method: 'GET', path: nowhere, headers: {} };
  const { status } = await target.send(request, AbortSignal.timeout(timeout)).catch((error: unknown) => {
    const { cause, message } = error as Error & { cause?: Error };
    throw new Error(`${target.name} does not answer: ${cause?.message || message}`);
  });
  if (status < 400)
    throw new Error(
      `${target.name} is no such service: it answers GET ${nowhere} with ${status}, where a service says that nothing is there. ${whichAddress}`,
    );
}

/** What shows whether a type may be read, by little of it. */
const listOf = ({ isSingle, path }: Pick<ContentType, 'isSingle' | 'path'>): string =>
  isSingle ? path : `${path}?pagination%5BpageSize%5D=1`;

/** Lists that any deployment may have, and none shows without asking who is there. */
const ofPlugins = ['/api/users?limit=1', '/api/upload/files?pagination%5BpageSize%5D=1'];

/** What every service answers, and what shows the plugins that have an endpoint without any content type. */
const signs = ['/_health', '/api/i18n/locales', '/graphql', ...ofPlugins];

/** Below a wrong path a service answers that nothing is there, which rows without content types take for right. */
async function checkService(target: Target, paths: readonly string[], timeout: number): Promise<void> {
  const statusOf = statusesBy(target, timeout);
  for (const path of paths) {
    const status = await statusOf('GET', path);
    if (status < 500 && ![404, 405].includes(status)) return;
  }
  throw new Error(
    `${target.name} answers, but nothing of a service is there: GET ${paths.slice(0, 3).join(', ')} and others are 404, 405 or errors. ` +
      whichAddress,
  );
}

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

/** Whether a step makes something, whoever asks; over GraphQL it is by registering that somebody without a token does. */
function makesSomething({ request: { method, path, body }, expect }: Step): boolean {
  if (method !== 'POST') return false;
  if (path === graphql) return /\bregister\s*\(/.test(String(pick(body ?? null, 'query')));
  const isAboutAccounts = path.startsWith('/api/auth/') && path !== registration;
  return !isAboutAccounts && [expect.status].flat().some((status) => status < 300);
}

const asksByToken = ({ request }: Step): boolean => (request.as ?? 'token') === 'token';

/**
 * Rows ask as the holder of the token, unless they say otherwise: nobody in particular would be refused, row after row. Those that
 * are about a target's own types ask for what everyone may, but what any row makes is taken away by the token.
 */
function checkTokenGiven(
  { token, name }: Target,
  played: readonly Row[],
  scenes: Scenes,
  { tokenFrom, isOwn }: Pick<Settings, 'tokenFrom'> & { isOwn: boolean },
): void {
  if (token) return;
  const rowThat = (does: (step: Step) => boolean): Row | undefined =>
    played.find(({ steps, scene }) => [...steps, ...(scenes[scene ?? '']?.steps ?? [])].some(does));
  const asking = isOwn ? undefined : rowThat(asksByToken);
  const row = asking ?? rowThat(makesSomething);
  if (!row) return;
  const why = asking ? '' : ' to take away what it makes';
  const unset = tokenFrom ? `"tokenFrom" of the profile names ${tokenFrom}, which is not set. ` : '';
  throw new Error(
    `No token for ${name} was given, and ${row.id} needs one${why}, as others may. ${unset}${fullAccess}`,
  );
}

function checkKeysGiven({ tokens }: Target, played: readonly Row[]): void {
  const row = played.find(({ needs }) => needs.includes('api-tokens'));
  if (row && !tokens)
    throw new Error(
      `"api-tokens" is declared, and the tokens that ${row.id} is about are not given. ` +
        `Give them by --tokens ${tokenKinds.map((kind) => `${kind}=KEY`).join(',')}, or do not declare it.`,
    );
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
  const { timeout, off, features, tokenFrom } = settings;
  const played = playedOf(suite, settings);
  checkTokenGiven(target, played, specification.scenes, { tokenFrom, isOwn: schema !== undefined });
  checkKeysGiven(target, played);
  if (schema) {
    const lists = readSchemas(schema).types.map(listOf);
    await checkService(target, [...signs, ...lists], timeout);
    return checkToken(target, lists, timeout);
  }
  if (smoke) await checkService(target, signs, timeout);
  const { types } = readSchemas(join(dirname(specFolder()), 'fixtures', 'app'));
  const wanted = wantedBy(played, specification, types);
  const hasRest = !off.includes('rest') && (features?.includes('rest') ?? true);
  if (!smoke && hasRest && wanted.collections.length > 0) return checkFixtures(target, wanted, timeout);
  return checkToken(target, [...ofPlugins, ...(smoke ? [] : types.map(listOf))], timeout);
}
