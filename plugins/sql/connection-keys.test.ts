import { testApplication } from '../../core/testing/test-application';
import sql from './index';

/** What is said of a connection in `config/database`. */
async function complaints(client: string, connection: object): Promise<object[]> {
  const database = { connection: { client, connection } };
  try {
    const app = await testApplication({ plugins: [sql], overrides: { database } });
    await app.remove();
    return [];
  } catch (error) {
    return (error as { problems: object[] }).problems;
  }
}

test.each([
  ['databse', 'database'],
  ['pasword', 'password'],
  ['Host', 'host'],
  ['connectionSting', 'connectionString'],
  ['usre', 'user'],
])('%s of a connection is refused: %s was probably meant', async (key, meant) => {
  expect(await complaints('postgres', { [key]: 'x' })).toEqual([
    {
      where: 'config/database',
      at: `connection.connection.${key}`,
      what: 'is no known option.',
      remedy: `Remove it. Did you mean "${meant}"?`,
    },
  ]);
});

test('what a driver takes, and what is like nothing that is known, is left to it', async () => {
  expect(await complaints('mysql', { charset: 'utf8mb4', socketPath: '/run/mysqld.sock', connectionLimit: 9 })).toEqual(
    [],
  );
  expect(
    await complaints('postgres', { application_name: 'shop', keepAlive: true, port: '5432', hosts: undefined }),
  ).toEqual([]);
  expect(await complaints('sqlite', { filename: '.tmp/data.db', options: {} })).toEqual([]);
});
