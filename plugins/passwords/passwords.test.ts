import { spawnSync } from 'node:child_process';
import { schema, schemaFile } from '../rest/rest-app.fixture';
import { DATABASE } from '../sql';
import { fullKey, type UsersApp, usersApp } from '../users-permissions/app.fixture';
import { PASSWORDS } from '.';
import { createHashThread } from './hash-thread';
import { createPasswords } from './hashing';

const door = {
  name: { type: 'string' },
  code: { type: 'password', minLength: 4, maxLength: 10 },
  locks: { type: 'component', component: 'door.lock', repeatable: true },
};

let app: UsersApp;
beforeAll(async () => {
  app = await usersApp({
    files: {
      [schemaFile('door')]: schema('door', door, { options: { draftAndPublish: true } }),
      'src/components/door/lock.json': { info: {}, attributes: { pin: { type: 'password' } } },
    },
  });
});
afterAll(() => app.remove());

const stored = async (column: string, table: string): Promise<unknown[]> =>
  (await app.service(DATABASE).rows({ sql: `select ${column} from ${table} order by id` }, [])).flat();

test('passwords are kept as hashes, at any depth and in all versions, and are never shown', async () => {
  const data = { name: 'front', code: 'open-1', locks: [{ pin: 'a-pin' }] };
  const { body, text } = await app.post('/api/doors?populate=*', { data }, fullKey).expect(201);
  expect(text).not.toMatch(/"code"|"pin"|open-1|a-pin|\$2/);
  const draft = await app.post('/api/doors?status=draft', { data: { code: 'open-2' } }, fullKey).expect(201);
  await app.post(`/api/doors/${draft.body.data.documentId}/publish`, {}, fullKey).expect(200);
  const kept = [...(await stored('code', 'doors')), ...(await stored('pin', 'components_door_locks'))];
  expect(kept.length).toBeGreaterThan(4);
  for (const value of kept) expect(value).toMatch(/^\$2b\$10\$.{53}$/);
  expect(await app.service(PASSWORDS).matches('open-1', String(kept[0]))).toBe(true);
  expect(await app.service(PASSWORDS).matches('open-3', String(kept[0]))).toBe(false);
  expect(body.data.name).toBe('front');
});

test('the rules of the attribute are about the password, not about its hash', async () => {
  const refusal = async (code: string) =>
    (await app.post('/api/doors', { data: { code } }, fullKey).expect(400)).body.error.message;
  expect(await refusal('abc')).toBe('code must be at least 4 characters');
  expect(await refusal('a'.repeat(11))).toBe('code must be at most 10 characters');
  expect(await refusal('é'.repeat(37))).toBe('Password must be less than 73 bytes');
});

test('a body may hold a hundred of them', async () => {
  const locks = Array.from({ length: 101 }, () => ({ pin: 'x'.repeat(73) }));
  const message = async () =>
    (await app.post('/api/doors', { data: { locks } }, fullKey).expect(400)).body.error.message;
  expect(await message()).toBe('A body may hold 100 passwords at most');
  locks.pop();
  expect(await message()).toBe('Password must be less than 73 bytes');
});

test('a hash of others fits, an absent one and a password that is too long never do', async () => {
  const { matches, hash } = createPasswords();
  expect(await matches('secret-1', '$2a$10$tfT4a/dEDLCaU1YEOjAhp.6ERlk2LU7STm0xV1cStcX3N/pDZ1Q36')).toBe(true);
  expect(await matches('secret-1', null)).toBe(false);
  expect(await matches('x'.repeat(73), await hash('x'.repeat(72)))).toBe(false);
});

test('what is hashed keeps the process, a thread without work does not', async () => {
  const script = `
    const { createPasswords } = require('./dist/plugins/passwords/hashing.js');
    const { hash, matches } = createPasswords();
    hash('secret-1').then((made) => matches('secret-1', made)).then((is) => console.log('same:', is));`;
  const { stdout, status } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8', timeout: 20_000 });
  expect([status, stdout]).toEqual([0, 'same: true\n']);
});

test('what can not be hashed fails, and the next one does not', async () => {
  const thread = createHashThread();
  await expect(thread.hash('x', 'many' as never)).rejects.toThrow(/salt|rounds/i);
  expect(await thread.compare('x', await thread.hash('x', 4))).toBe(true);
  const [first] = [thread.hash('x', 12), thread.close()];
  await expect(first).rejects.toThrow('the thread that hashes passwords ended');
  expect(await thread.hash('x', 4)).toMatch(/^\$2b\$04\$/);
  await thread.close();
});

test('of very many at once, those that would have to wait too long are refused', async () => {
  const { matches } = createPasswords();
  const answers = await Promise.allSettled(Array.from({ length: 520 }, () => matches('x', '$2b$04$'.padEnd(60, 'a'))));
  const refused = answers.filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThan(0);
  for (const answer of refused) expect((answer as PromiseRejectedResult).reason).toMatchObject({ status: 503 });
});
