import type { Logger } from '../../../core';
import { silentLogger } from '../../../core/kernel/logger';
import { type Care, type ClosableUpkeep, createUpkeep, type Due } from './upkeep';

const server = {
  due: [] as Due[],
  acts: [] as string[],
  isWanted: true,
  isTaken: false,
  /** What the next question fails with. */
  failure: undefined as Error | undefined,
  /** What a table fails with. */
  broken: new Map<string, Error>(),
  lasts: false,
  isInTheWay: false,
  isDeaf: false,
  isSlowToOpen: false,
};
const initial = { ...server };
let finish: ((error?: Error) => void) | undefined;
let connect: () => void;
let told: string[];

const due = (...tables: string[]): Due[] => tables.map((table) => ({ table, isUrgent: false }));
const answered = (): void => {
  if (server.failure) throw server.failure;
};

const care: Care<string> = {
  async isWanted() {
    answered();
    return server.isWanted;
  },
  async due(tables) {
    answered();
    return server.due.filter(({ table }) => tables.includes(table));
  },
  async open() {
    if (server.isSlowToOpen) await new Promise<void>((resolve) => (connect = resolve));
    server.acts.push('open');
    return server.isTaken ? undefined : 'line';
  },
  async tend(_, table) {
    server.acts.push(table);
    const failure = server.broken.get(table);
    if (failure) throw failure;
    if (server.lasts)
      await new Promise<void>((resolve, reject) => {
        finish = (error) => (error ? reject(error) : resolve());
      });
    server.due = server.due.filter((other) => other.table !== table);
  },
  isInTheWay: async () => server.isInTheWay,
  async giveUp() {
    server.acts.push('give up');
    if (!server.isDeaf) finish?.(new Error('cancelled'));
  },
  async close() {
    server.acts.push('close');
    finish?.(new Error('closed'));
  },
};

const log: Logger = {
  ...silentLogger,
  info: (_, message) => void told.push(message),
  warn: (fields, message) => {
    const { err, table = '' } = fields as { err: Error; table?: string };
    told.push(`${message}: ${table} ${err.message}`);
  },
};
const isOff = 'autovacuum is off: the tables are vacuumed and analyzed by this process';
const notTended = 'a table could not be vacuumed and analyzed';
const notLookedAfter = 'the tables could not be looked after, which is tried again';

const coded = (code: string): Error => Object.assign(new Error(code), { code });
const passing = (milliseconds: number): Promise<void> => jest.advanceTimersByTimeAsync(milliseconds);

async function begun(): Promise<ClosableUpkeep> {
  const upkeep = createUpkeep(care);
  upkeep.begin(['a', 'b', 'c'], log);
  await passing(0);
  return upkeep;
}

beforeEach(() => {
  jest.useFakeTimers();
  Object.assign(server, initial, { acts: [], broken: new Map() });
  [told, finish] = [[], undefined];
});
afterEach(() => jest.useRealTimers());

test('all that is due is tended over one line, and again once it is due again', async () => {
  server.due = due('a', 'c', 'other');
  const upkeep = await begun();
  expect(server.acts).toEqual(['open', 'a', 'c', 'close']);
  server.due = due('b');
  await passing(10_000);
  expect(server.acts.slice(4)).toEqual(['open', 'b', 'close']);
  await passing(10_000);
  expect(told).toEqual([isOff]);
  await upkeep.close();
  server.due = due('a');
  await passing(100_000);
  expect(server.acts).toHaveLength(7);
});

test('a table rests for a minute, unless it is urgent', async () => {
  server.due = due('a');
  const upkeep = await begun();
  server.due = due('a');
  await passing(50_000);
  expect(server.acts).toEqual(['open', 'a', 'close']);
  await passing(10_000);
  expect(server.acts).toHaveLength(6);
  server.due = [{ table: 'a', isUrgent: true }];
  await passing(10_000);
  expect(server.acts).toHaveLength(9);
  await upkeep.close();
});

test('nothing is done, nor asked again, where the server does it', async () => {
  server.isWanted = false;
  server.due = due('a');
  const upkeep = await begun();
  server.isWanted = true;
  await passing(100_000);
  expect([server.acts, told]).toEqual([[], []]);
  await upkeep.close();
});

test('nothing is done while another process does it', async () => {
  server.isTaken = true;
  server.due = due('a');
  const upkeep = await begun();
  await passing(10_000);
  expect(server.acts).toEqual(['open', 'open']);
  server.isTaken = false;
  await passing(10_000);
  expect(server.acts.slice(2)).toEqual(['open', 'a', 'close']);
  await upkeep.close();
});

test('it begins once', async () => {
  server.due = due('a');
  server.lasts = true;
  const upkeep = await begun();
  upkeep.begin(['b'], log);
  await passing(0);
  expect(server.acts).toEqual(['open', 'a']);
  await upkeep.close();
  upkeep.begin(['b'], log);
  await passing(10_000);
  expect(server.acts).toEqual(['open', 'a', 'give up', 'close']);
});

test('a table that fails is told once, and keeps nobody waiting', async () => {
  server.due = due('a', 'b');
  server.broken.set('a', coded('XX001'));
  const upkeep = await begun();
  expect(server.acts).toEqual(['open', 'a', 'b', 'close']);
  await passing(60_000);
  expect(server.acts.slice(4)).toEqual(['open', 'a', 'close']);
  expect(told).toEqual([isOff, `${notTended}: a XX001`]);
  await upkeep.close();
});

test.each([coded('57P01'), new Error('the connection ended')])(
  'a line that breaks ends the round: %s',
  async (error) => {
    server.due = due('a', 'b');
    server.broken.set('a', error);
    const upkeep = await begun();
    expect(server.acts).toEqual(['open', 'a', 'close']);
    await passing(10_000);
    expect(server.acts.slice(3)).toEqual(['open', 'b', 'close']);
    expect(told).toEqual([isOff, `${notLookedAfter}:  ${error.message}`]);
    await upkeep.close();
  },
);

test('a server that does not answer is told of once, until it has answered', async () => {
  server.failure = new Error('gone');
  const upkeep = await begun();
  await passing(20_000);
  server.failure = undefined;
  await passing(10_000);
  server.failure = new Error('gone again');
  await passing(10_000);
  expect(told).toEqual([`${notLookedAfter}:  gone`, `${notLookedAfter}:  gone again`]);
  await upkeep.close();
});

test('who waits for a table is let through', async () => {
  server.due = due('a', 'b');
  server.lasts = true;
  const upkeep = await begun();
  await passing(3_000);
  expect(server.acts).toEqual(['open', 'a']);
  server.isInTheWay = true;
  await passing(1_000);
  expect(server.acts).toEqual(['open', 'a', 'give up', 'b']);
  server.isInTheWay = false;
  finish!();
  await passing(0);
  expect(server.acts.slice(4)).toEqual(['close']);
  expect(told).toEqual([isOff]);
  await upkeep.close();
});

test('a question that is answered late gives up no other table', async () => {
  server.due = due('a', 'b');
  server.lasts = true;
  let answer = (_: boolean): void => undefined;
  const { isInTheWay } = care;
  care.isInTheWay = () => new Promise((resolve) => (answer = resolve));
  try {
    const upkeep = await begun();
    await passing(2_000);
    finish!();
    await passing(0);
    expect(server.acts).toEqual(['open', 'a']);
    answer(true);
    await passing(0);
    expect(server.acts).toEqual(['open', 'a', 'give up', 'b']);
    expect(told).toEqual([isOff]);
    await upkeep.close();
  } finally {
    care.isInTheWay = isInTheWay;
  }
});

test('a close has the server give up what it does', async () => {
  server.due = due('a', 'b');
  server.lasts = true;
  const upkeep = await begun();
  await upkeep.close();
  expect(server.acts).toEqual(['open', 'a', 'give up', 'close']);
  expect(told).toEqual([isOff]);
});

test('a close does not wait long for a server that does not give up', async () => {
  server.due = due('a', 'b');
  [server.lasts, server.isDeaf] = [true, true];
  const upkeep = await begun();
  const closed = upkeep.close();
  await passing(2_000);
  await closed;
  expect(server.acts.slice(0, 4)).toEqual(['open', 'a', 'give up', 'close']);
  expect(server.acts).not.toContain('b');
});

test('a close while a line is being opened begins no work', async () => {
  server.due = due('a');
  server.isSlowToOpen = true;
  const upkeep = await begun();
  const closed = upkeep.close();
  connect();
  await closed;
  expect(server.acts).toEqual(['open', 'close']);
});
