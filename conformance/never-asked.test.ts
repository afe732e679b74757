import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Application, createApplication } from '../core';
import { shipped } from '../plugins/shipped';
import { bodyOfAnswer } from './runner/send';
import { pick } from './runner/template';
import { inProcessTarget } from './targets/in-process';

// What no row asks, since a deployment that gives in would lose what belongs to others.

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

async function ask(method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const request = { method, path, headers, ...(body && { body: JSON.stringify(body) }) };
  return bodyOfAnswer(await inProcessTarget(app.handler).send(request, AbortSignal.timeout(10_000)));
}

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
