import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Application, createApplication } from '../core';
import { shipped } from '../plugins/shipped';
import { bodyOfAnswer } from './runner/send';
import { pick } from './runner/template';
import { inProcessTarget } from './targets/in-process';

// What no row asks: a deployment that gives in would lose what belongs to others, let somebody into their accounts, or get a second
// role of everyone.

const token = 'conformance-token';
const scratch = mkdtempSync(join(tmpdir(), 'heddle-never-asked-'));
const { DATABASE_CLIENT: _, DATABASE_FILENAME: __, ...env } = process.env;
const roles = '/api/users-permissions/roles';
let app: Application;

beforeAll(async () => {
  const appDir = join(__dirname, 'fixtures/app');
  app = await createApplication({ appDir, dataDir: scratch, shipped, env: { ...env, CONFORMANCE_TOKEN: token } });
  await app.start();
});
afterAll(async () => {
  await app.close();
  rmSync(scratch, { recursive: true });
});

function send(method: string, path: string, body?: object, as = `Bearer ${token}`) {
  const headers = { 'content-type': 'application/json', ...(as && { authorization: as }) };
  const request = { method, path, headers, ...(body && { body: JSON.stringify(body) }) };
  return inProcessTarget(app.handler).send(request, AbortSignal.timeout(10_000));
}
const ask = async (method: string, path: string, body?: object) => bodyOfAnswer(await send(method, path, body));
const askAsNobody = async (method: string, path: string, body?: object) =>
  bodyOfAnswer(await send(method, path, body, ''));

test('the role of everyone can not be deleted', async () => {
  const everyone = pick(await ask('GET', roles), 'roles[type=public].id');
  expect(await ask('DELETE', `${roles}/${everyone}`)).toMatchObject({
    error: { status: 400, name: 'ApplicationError', message: 'Cannot delete public role' },
  });
  expect(pick(await ask('GET', roles), 'roles[type=public].id')).toBe(everyone);
});

test('there is one role of everyone', async () => {
  expect(await ask('POST', roles, { name: 'all', description: '', type: 'public' })).toMatchObject({
    error: { status: 400, message: 'There is a role of the type "public" already' },
  });
});

test.each([
  ['PUT', '/api/products'],
  ['PATCH', '/api/products'],
  ['DELETE', '/api/products'],
  ['PUT', '/api/upload'],
  ['DELETE', '/api/upload'],
  ['DELETE', '/api/i18n/locales'],
])('%s %s, which would be about all that is there, is not allowed', async (method, path) => {
  expect(await send(method, path, { data: {} })).toMatchObject({
    status: 405,
    headers: { 'content-type': expect.stringContaining('text/plain') },
    text: 'Method Not Allowed',
  });
});

test.each<[path: string, message: string]>([
  ['/api/auth/email-confirmation', 'confirmation is a required field'],
  ['/api/auth/email-confirmation?confirmation[$ne]=x', 'confirmation must be a `string` type'],
])('GET %s confirms nobody', async (path, message) => {
  expect(await askAsNobody('GET', path)).toMatchObject({
    error: { status: 400, name: 'ValidationError', message: expect.stringContaining(message) },
  });
});

test.each<[path: string, body: object]>([
  ['/api/auth/local', { identifier: { $ne: null }, password: 'secret-1' }],
  ['/api/auth/reset-password', { code: { $ne: null }, password: 'secret-2', passwordConfirmation: 'secret-2' }],
  ['/api/auth/reset-password', { code: '', password: 'secret-2', passwordConfirmation: 'secret-2' }],
])('POST %s with %j finds nobody', async (path, body) => {
  expect(await askAsNobody('POST', path, body)).toMatchObject({ error: { status: 400, name: 'ValidationError' } });
});

test.each<[mutation: string, value: unknown, message: string]>([
  ['login(input: { identifier: $x, password: "x" }) { jwt }', { $ne: '' }, 'got invalid value'],
  ['resetPassword(password: "secret2", passwordConfirmation: "secret2", code: $x) { jwt }', { $gt: 0 }, 'got invalid'],
  ['emailConfirmation(confirmation: $x) { jwt }', '', 'confirmation is a required field'],
])('%s with %j finds nobody over GraphQL', async (mutation, x, message) => {
  const body = { query: `mutation ($x: String!) { ${mutation} }`, variables: { x } };
  expect(await askAsNobody('POST', '/graphql', body)).toMatchObject({
    errors: [{ message: expect.stringContaining(message) }],
  });
});
