import { databaseFor, databaseKeys } from '../config';

test.each(['mysql', 'postgres'] as const)(
  'a %s server that does not answer is told with its setting and a remedy, without the password',
  async (client) => {
    const connection = { host: '127.0.0.1', port: 1, database: 'x', user: 'x', password: 'top-secret' };
    const reach = databaseKeys.connection.parse({ client, connection });
    const database = databaseFor({ connection: reach, maxAnswerBytes: 1_000_000 }, '/nowhere');
    const error = await database.open().then(
      () => undefined,
      (refusal: Error) => refusal,
    );
    await database.close();
    expect(error?.message).toMatch(
      /config\/database connection\.connection: can't be opened: .*ECONNREFUSED.*Start the server, or correct host/,
    );
    expect(error?.message).not.toContain('top-secret');
  },
);
