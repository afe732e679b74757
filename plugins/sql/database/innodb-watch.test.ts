import { setImmediate as nextTurn } from 'node:timers/promises';
import { createInnodbWatch } from './innodb-watch';

const report = (counter: number): string =>
  `Trx id counter ${counter}\nLIST OF TRANSACTIONS FOR EACH SESSION:\n--------\nFILE I/O\n`;

const server = {
  version: '10.11.6-MariaDB',
  counter: 7,
  opened: 0,
  closed: 0,
  cut: 0,
  asked: [] as string[],
  failure: undefined as Error | undefined,
  isSilent: false,
  isClosedToMore: false,
};
const initial = { ...server };

const forever = () => new Promise<never>(() => undefined);
const idleAfter = 30_000;

const watchOn = () => {
  const line = {
    open: async () => (server.isClosedToMore ? forever() : ++server.opened),
    async rows(_: number, sql: string) {
      server.asked.push(sql);
      if (server.isSilent) return forever();
      if (server.failure) throw server.failure;
      if (sql.startsWith('select version')) return [[server.version]];
      return sql.startsWith('show') ? [['InnoDB', '', report(server.counter)]] : [['2']];
    },
    async close() {
      server.closed += 1;
    },
    cut: () => void server.cut++,
  };
  return createInnodbWatch(line, idleAfter);
};

/** Looks begin at the end of a turn, which is set after that of who waits for it here. */
const begun = async (): Promise<void> => {
  for (let turn = 0; turn < 2; turn++) await nextTurn();
};

const failing = (code: string): Error => Object.assign(new Error(code), { code });

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
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

test('a line that falls silent is cut off after a second, and for a while there is no other', async () => {
  const watch = watchOn();
  await watch.look();
  server.isSilent = true;
  const looking = watch.look();
  await begun();
  await jest.advanceTimersByTimeAsync(999);
  expect(server.cut).toBe(0);
  await jest.advanceTimersByTimeAsync(1);
  expect([await looking, server.cut]).toEqual([undefined, 1]);
  server.isSilent = false;
  expect([await watch.look(), await watch.sees(['a']), server.opened]).toEqual([undefined, false, 1]);
  jest.advanceTimersByTime(6_000);
  expect(await watch.look()).toEqual({ version: '2:7', isAtRest: true });
});

test.each<Partial<typeof server>>([{ isClosedToMore: true }, { isSilent: true }])(
  'a line that is not to be had is not waited for: %j',
  async (silence) => {
    Object.assign(server, silence);
    const watch = watchOn();
    const looking = watch.look();
    await begun();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await looking).toBeUndefined();
    server.isSilent = false;
    expect(await watch.look()).toBeUndefined();
  },
);

test('a line over which nothing is asked for a while is closed, and no total counted before is used after', async () => {
  const watch = watchOn();
  await watch.look();
  await jest.advanceTimersByTimeAsync(idleAfter - 1);
  await watch.look();
  await jest.advanceTimersByTimeAsync(idleAfter - 1);
  expect(server.closed).toBe(0);
  await jest.advanceTimersByTimeAsync(1);
  expect(server.closed).toBe(1);
  expect(await watch.look()).toEqual({ version: '2:7', isAtRest: true });
});

test('once closed it opens nothing', async () => {
  const watch = watchOn();
  await watch.close();
  expect([await watch.look(), server.opened]).toEqual([undefined, 0]);
});
