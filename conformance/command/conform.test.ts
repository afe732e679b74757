import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tinyService } from '../runner/tiny-service';
import { conform } from './conform';
import type { ConformOptions } from './settings';

let server: Server;
let url: string;
const folder = mkdtempSync(join(tmpdir(), 'conform-'));

beforeAll(async () => {
  server = createServer(tinyService().listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await new Promise((resolve) => server.close(resolve));
});

async function outcome(options: Partial<ConformOptions>) {
  let output = '';
  const write = (text: string) => {
    output += text;
  };
  const screen = { write, warn: write, isTerminal: false, columns: 80 };
  return { code: await conform({ url, token: 'top-secret', ...options }, screen), output };
}

test('tokens of each kind are given together, each with its name', async () => {
  for (const tokens of [
    ['read-only=a'],
    ['read-only=a', 'custom=b', 'other=c'],
    ['read-only=', 'custom=b', 'expired=c'],
  ])
    expect(await outcome({ tokens })).toEqual({
      code: 2,
      output: 'Could not run: API tokens are given as read-only=KEY,custom=KEY,expired=KEY.\n',
    });
  const { code, output } = await outcome({
    tokens: ['read-only=secret-a', 'custom=secret-b', 'expired=secret-c'],
    only: ['tokens.'],
  });
  expect(code).toBe(1);
  expect(output).not.toContain('not prepared for api-tokens');
  expect(output).not.toMatch(/secret-[abc]/);
});

test('0 where all selected rows pass', async () => {
  const { code, output } = await outcome({ only: ['document.unique-id'] });
  expect(output).toContain('1 pass');
  expect(code).toBe(0);
});

test('1 where a MUST fails, with a report as JSON and without the token', async () => {
  const json = join(folder, 'report.json');
  const { code, output } = await outcome({ only: ['sort.field'], reportJson: json });
  expect(code).toBe(1);
  expect(output).toContain('✗ sort.field');
  const report = readFileSync(json, 'utf8');
  expect(JSON.parse(report).counts.fail).toBe(1);
  expect(report + output).not.toContain('top-secret');
});

test('0 where only a SHOULD fails', async () => {
  expect((await outcome({ only: ['sort.nulls'] })).code).toBe(0);
});

test('2 where nothing could be run', async () => {
  expect(await outcome({ url: 'http://127.0.0.1:1' })).toMatchObject({
    code: 2,
    output: expect.stringContaining('does not answer'),
  });
  expect(await outcome({ only: ['no.such.row'] })).toMatchObject({
    code: 2,
    output: expect.stringContaining('No row was chosen'),
  });
  expect(await outcome({ features: ['rest', 'nope'] })).toMatchObject({
    code: 2,
    output: expect.stringContaining('"nope"'),
  });
});

describe('2 before anything is made', () => {
  let status: number;
  let served: readonly string[];
  let deletion: number;
  let others: number;
  let server: Server;
  const methods = new Set<string>();

  beforeAll(async () => {
    server = createServer((request, response) => {
      methods.add(request.method ?? '');
      const isAsked = request.method === 'GET' && served.includes(String(request.url).split('?')[0]!);
      response.writeHead(request.method === 'DELETE' ? deletion : isAsked ? status : others).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(() => {
    [status, served, deletion, others] = [200, ['/api/articles'], 204, 404];
    methods.clear();
  });
  const asked = (options: Partial<ConformOptions> = {}) =>
    outcome({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ...options });

  test('where the token is not valid', async () => {
    status = 401;
    const { code, output } = await asked();
    expect({ code, output }).toEqual({ code: 2, output: expect.stringContaining('refuses the token with 401') });
    expect(output).not.toContain('top-secret');
    expect(methods).toEqual(new Set(['GET']));
  });

  const all = ['articles', 'authors', 'categories', 'products', 'profiles', 'restaurants', 'tags'];

  test.each<[Partial<ConformOptions>, string]>([
    [{ schema: 'conformance/fixtures/app' }, '/api/tags'],
    [{ smoke: true }, '/api/users'],
    [{ only: ['email.'] }, '/api/upload/files'],
  ])('where the token is not valid, though rows are not about the fixtures: %j', async (options, path) => {
    [status, served] = [401, [path]];
    expect(await asked(options)).toEqual({
      code: 2,
      output: expect.stringContaining('refuses the token with 401'),
    });
  });

  test('where some of the content types are not served, if chosen rows are about these', async () => {
    served = all.slice(0, -1).map((name) => `/api/${name}`);
    expect(await asked()).toEqual({ code: 2, output: expect.stringContaining('GET /api/tags is 404') });
    expect(methods).toEqual(new Set(['GET']));
    expect((await asked({ only: ['collection.one.missing'] })).output).not.toContain('does not serve');
  });

  test('not where one of the own types does not take the token, and others do', async () => {
    [served, others] = [['/api/tags'], 401];
    expect((await asked({ schema: 'conformance/fixtures/app' })).output).not.toContain('refuses the token');
  });

  test('where nothing may be read, or nothing written', async () => {
    const complaint = 'does not let the token do what rows do';
    [status, served] = [403, all.map((name) => `/api/${name}`)];
    expect(await asked()).toEqual({
      code: 2,
      output: expect.stringContaining(`${complaint}: GET /api/articles is 403`),
    });
    [status, deletion] = [200, 403];
    expect(await asked()).toEqual({
      code: 2,
      output: expect.stringContaining(`${complaint}: DELETE /api/articles/`),
    });
  });

  test('where nobody may read what rows read as nobody', async () => {
    [status, served] = [403, all.map((name) => `/api/${name}`)];
    expect(await asked({ token: undefined, only: ['tokens.unknown'] })).toEqual({
      code: 2,
      output: expect.stringContaining('does not let somebody without a token do what rows do'),
    });
  });

  test('where the content types of the rows are not served, unless it is said that nothing is over REST', async () => {
    status = 404;
    const missing = 'does not serve the content types that the rows are about: GET /api/articles is 404';
    expect(await asked()).toEqual({ code: 2, output: expect.stringContaining(missing) });
    expect(methods).toEqual(new Set(['GET']));
    expect((await asked({ only: ['sort.field'], off: ['rest'] })).output).not.toContain(missing);
    expect((await asked({ only: ['sort.field'], features: ['graphql'] })).output).not.toContain(missing);
  });
});

test('known deviations pass, unknown ones and outdated ones do not', async () => {
  const deviations = join(folder, 'deviations.json');
  const known = (list: Record<string, string>) => writeFileSync(deviations, JSON.stringify(list));
  known({ 'sort.field': 'It does not sort.' });
  expect((await outcome({ only: ['sort.field'], deviations })).code).toBe(0);
  known({});
  expect((await outcome({ only: ['sort.field'], deviations })).code).toBe(1);
  known({ 'document.unique-id': 'It gives the same id twice.' });
  const outdated = await outcome({ only: ['document.unique-id'], deviations });
  expect(outdated).toMatchObject({ code: 1, output: expect.stringContaining('is listed as a deviation') });
});

test('a list of deviations that names what is no row, or that is not there, is refused before anything is asked', async () => {
  const deviations = join(folder, 'misspelt.json');
  writeFileSync(deviations, JSON.stringify({ 'sort.feild': 'It does not sort.', 'own.note.list': 'Of its own.' }));
  for (const [file, complaint] of [
    [deviations, 'names what no row is called: sort.feild.'],
    [join(folder, 'nowhere.json'), 'no such file'],
  ] as const) {
    const asked = await outcome({ url: 'http://127.0.0.1:1', deviations: file });
    expect(asked).toEqual({ code: 2, output: expect.stringContaining(complaint) });
  }
});

test('reports that have no place are noticed before anything is asked', async () => {
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  for (const reportHtml of [folder, join(file, 'report.html')]) {
    const asked = await outcome({ url: 'http://127.0.0.1:1', reportHtml });
    expect(asked).toEqual({ code: 2, output: expect.stringContaining(`The report ${reportHtml} can not be written`) });
  }
});

test('a run whose report can not be written after all tells its verdict, and writes the others', async () => {
  const [reportJson, reportJunit] = [join(folder, 'gone/report.json'), join(folder, 'there.xml')];
  const answer = createServer((request, response) => {
    rmSync(join(folder, 'gone'), { recursive: true, force: true });
    tiny.listener(request, response);
  });
  const tiny = tinyService();
  await new Promise<void>((resolve) => answer.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(answer.address() as AddressInfo).port}`;
  const { code, output } = await outcome({ url: address, only: ['document.unique-id'], reportJson, reportJunit });
  answer.close();
  expect(code).toBe(2);
  expect(output).toMatch(/1 pass.*\nThe report .*gone\/report\.json can not be written/);
  expect(readFileSync(reportJunit, 'utf8')).toContain('document.unique-id');
});

test('a token that rows need and nobody gave is missed before anything is made', async () => {
  const { code, output } = await outcome({ token: undefined, only: ['document.unique-id'] });
  expect({ code, output }).toEqual({
    code: 2,
    output: expect.stringContaining('was given, and document.unique-id needs one, as others may. Give a full-access'),
  });
  expect((await outcome({ token: undefined, only: ['tokens.unknown'] })).output).not.toContain('needs one');
  expect((await outcome({ token: undefined, smoke: true })).output).not.toContain('needs one');
});

test('rows about own types do without a token, unless they make something', async () => {
  const schema = 'conformance/fixtures/app';
  const options = { token: undefined, schema, only: ['own.tag.'] };
  expect((await outcome(options)).output).not.toContain('needs one');
  expect(await outcome({ ...options, write: true })).toEqual({
    code: 2,
    output: expect.stringContaining('own.tag.write needs one to take away what it makes'),
  });
});

test('what a profile names and is not there is missed by rows that need it, and by no other', async () => {
  const profile = join(folder, 'profile.json');
  const asked = async (content: object, options: Partial<ConformOptions>) => {
    writeFileSync(profile, JSON.stringify(content));
    return (await outcome({ token: undefined, profile, ...options })).output;
  };
  const noToken = { tokenFrom: 'NO_SUCH_KEY' };
  const missed = '"tokenFrom" of the profile names NO_SUCH_KEY, which is not set. Give a full-access';
  expect(await asked(noToken, { only: ['document.unique-id'] })).toContain(missed);
  expect(await asked(noToken, { smoke: true })).not.toContain('Could not run');
  expect(await asked(noToken, { schema: 'conformance/fixtures/app', only: ['smoke.'] })).not.toContain('Could not run');

  const noKeys = { features: { 'api-tokens': true } };
  const token = 'top-secret';
  expect(await asked(noKeys, { token, only: ['tokens.'] })).toMatch(
    /the tokens that tokens\.[\w.-]+ is about are not given\. Give them by --tokens read-only=KEY/,
  );
  expect(await asked(noKeys, { token, only: ['tokens.'], off: ['api-tokens'] })).not.toContain('Could not run');
  expect(await asked(noKeys, { token, only: ['document.unique-id'] })).toContain('1 pass');
  expect(await asked(noKeys, { token, smoke: true })).not.toContain('Could not run');
});

test('a service that has only what is told from outside is asked that', async () => {
  const { code, output } = await outcome({ smoke: true, verbose: true });
  expect(output).toMatch(/smoke\.graphql .*the target declares graphql off/);
  expect(output).toContain('✗ smoke.unknown-path');
  expect(code).toBe(1);
});

test.each<[Partial<ConformOptions>]>([
  [{ smoke: true }],
  [{ smoke: true, features: ['rest'] }],
  [{ schema: 'conformance/fixtures/app', only: ['own.setting.', 'smoke.'] }],
])('an address below which nothing is could not run: %j', async (options) => {
  expect(await outcome({ url: `${url}/api`, token: undefined, ...options })).toEqual({
    code: 2,
    output: expect.stringContaining('nothing of a service is there: GET /_health'),
  });
});

test.each<[Partial<ConformOptions>, string]>([
  [{ smoke: true, schema: '.' }, 'Say --smoke or --schema'],
  [{ write: true }, '--write belongs to --schema'],
  [{ schema: folder }, 'holds no schema files'],
])('%j could not run', async (options, complaint) => {
  expect(await outcome(options)).toEqual({ code: 2, output: expect.stringContaining(complaint) });
});
