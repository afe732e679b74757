import { type LinkedApp, openLinkedApp } from './linked-app.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

let app: LinkedApp;
beforeAll(async () => {
  app = await openLinkedApp();
});
afterAll(() => app.remove());

test('what was written is there at the next start, beside what the tables need', async () => {
  const { remembered } = app.store;
  expect(await remembered!.read('one')).toBeUndefined();
  await remembered!.write('one', 'first');
  await remembered!.write('two', '["second"]');
  await remembered!.write('one', 'changed');
  app = await app.restart({});
  expect(await app.store.remembered!.read('one')).toBe('changed');
  expect(await app.store.remembered!.read('two')).toBe('["second"]');
});

test('of many that write the same for the first time, none fails', async () => {
  const { remembered } = app.store;
  await Promise.all(Array.from({ length: 8 }, () => remembered!.write('crowd', 'the same')));
  expect(await remembered!.read('crowd')).toBe('the same');
});

test('no key is one of those that tell what the tables are', async () => {
  await app.store.remembered!.write('layout', 'none');
  const rows = await app.database.rows(
    { sql: `select value from heddle_meta where ${app.database.dialect.id('key')}='layout'` },
    [],
  );
  expect(rows).toHaveLength(1);
  expect(rows).not.toEqual([['none']]);
});
