import { createInnodbWatch } from './innodb-watch';

const report = (counter: number): string =>
  `Trx id counter ${counter}\nLIST OF TRANSACTIONS FOR EACH SESSION:\n--------\nFILE I/O\n`;

const server = {
  version: '10.11.6-MariaDB',
  counter: 7,
  opened: 0,
  closed: 0,
  asked: [] as string[],
  failure: undefined as Error | undefined,
};
const initial = { ...server };

const watchOn = () =>
  createInnodbWatch({
    open: async () => ++server.opened,
    async rows(_, sql) {
      server.asked.push(sql);
      if (server.failure) throw server.failure;
      if (sql.startsWith('select version')) return [[server.version]];
      return sql.startsWith('show') ? [['InnoDB', '', report(server.counter)]] : [['2']];
    },
    async close() {
      server.closed += 1;
    },
  });

const failing = (code: string): Error => Object.assign(new Error(code), { code });

beforeEach(() => {
  jest.useFakeTimers();
  Object.assign(server, initial, { asked: [] });
});
afterEach(() => jest.useRealTimers());

test('one connection tells the counter, and whether all tables are seen', async () => {
  const watch = watchOn();
  expect(await watch.look()).toEqual({ version: '1:7', isAtRest: true });
  server.counter = 8;
  expect(await watch.look()).toEqual({ version: '1:8', isAtRest: true });
  expect([await watch.sees(['a', 'b']), await watch.sees(['a'])]).toEqual([true, false]);
  await watch.close();
  expect([server.opened, server.closed]).toEqual([1, 1]);
});

test.each(['ER_STATEMENT_TIMEOUT', 'PROTOCOL_CONNECTION_LOST'])(
  'after %s it asks over another connection',
  async (code) => {
    const watch = watchOn();
    await watch.look();
    server.failure = failing(code);
    expect(await watch.look()).toBeUndefined();
    server.failure = undefined;
    expect(await watch.look()).toEqual({ version: '2:7', isAtRest: true });
    await watch.close();
    expect([server.opened, server.closed]).toEqual([2, 2]);
  },
);

test('a connection over which nothing can be asked is closed, and for a while there is no other', async () => {
  const watch = watchOn();
  server.failure = failing('ER_STATEMENT_TIMEOUT');
  for (let time = 1; time <= 3; time++) {
    expect([await watch.look(), await watch.look(), await watch.sees(['a'])]).toEqual([undefined, undefined, false]);
    expect([server.opened, server.closed]).toEqual([time, time]);
    jest.advanceTimersByTime(6_000);
  }
  server.failure = undefined;
  expect(await watch.look()).toEqual({ version: '1:7', isAtRest: true });
});

test.each<[string, Partial<typeof server>]>([
  ['another server', { version: '8.0.36' }],
  ['an account that may not look', { failure: failing('ER_SPECIFIC_ACCESS_DENIED_ERROR') }],
])('%s is asked once, and no connection kept', async (_, differing) => {
  Object.assign(server, differing);
  const watch = watchOn();
  for (let time = 0; time < 3; time++) {
    expect(await watch.look()).toBeUndefined();
    jest.advanceTimersByTime(6_000);
  }
  expect([server.opened, server.closed]).toEqual([1, 1]);
  expect(server.asked).toEqual(['select version()']);
});

test('once closed it opens nothing', async () => {
  const watch = watchOn();
  await watch.close();
  expect([await watch.look(), server.opened]).toEqual([undefined, 0]);
});
