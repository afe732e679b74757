import { EventEmitter } from 'node:events';
import { type ConnectionLine, type Connections, createConnections, type PoolSettings } from './connections';
import { isForAll, isGone, told } from './failures';

class Fake extends EventEmitter {
  isUsable = true;
}

let opened: Fake[];
let closed: Fake[];
let cut: Fake[];
let connections: Connections<Fake>;
beforeEach(() => {
  opened = [];
  closed = [];
  cut = [];
});
afterEach(() => connections.end());

function connect(line: Partial<ConnectionLine<Fake>> = {}, settings: Partial<PoolSettings> = {}): void {
  const fakes: ConnectionLine<Fake> = {
    make: () => new Fake(),
    connect: async (raw) => void opened.push(raw),
    prepare: async () => undefined,
    close: async (raw) => void closed.push(raw),
    cut: (raw) => void cut.push(raw),
    isUsable: (raw) => raw.isUsable,
  };
  connections = createConnections({ ...fakes, ...line }, { min: 0, max: 1, acquireTimeoutMillis: 50, ...settings });
}

/** What happened when a connection was borrowed and given back. */
async function borrowed(): Promise<Fake> {
  const raw = await connections.lend();
  connections.takeBack(raw);
  return raw;
}

test('what was given back is lent again', async () => {
  connect();
  expect(await borrowed()).toBe(await borrowed());
  expect([opened.length, closed.length]).toEqual([1, 0]);
});

test('all are counted that are opened, of the pool or apart from it', async () => {
  connect();
  const counts = [connections.opened()];
  await borrowed();
  counts.push(connections.opened());
  await connections.open();
  expect([...counts, connections.opened()]).toEqual([0, 1, 2]);
});

test.each<[string, (raw: Fake) => void]>([
  ['that failed by itself', (raw) => raw.emit('error', new Error('lost'))],
  ['that the server ended', (raw) => raw.emit('end')],
  ['of which the driver knows', (raw) => Object.assign(raw, { isUsable: false })],
  ['that someone found broken', (raw) => connections.broke(raw)],
])('a connection %s is closed and not lent again', async (_, breaks) => {
  connect();
  const first = await borrowed();
  expect(connections.isWhole(first)).toBe(true);
  breaks(first);
  expect(connections.isWhole(first)).toBe(false);
  expect(await borrowed()).not.toBe(first);
  expect(closed).toEqual([first]);
});

test('one that can not be made to behave is closed, and the reason told', async () => {
  connect({ prepare: async () => Promise.reject(new Error('no such setting')) });
  await expect(connections.lend()).rejects.toThrow('no such setting');
  await expect(connections.open()).rejects.toThrow('no such setting');
  expect(closed).toEqual(opened);
  expect(closed).toHaveLength(2);
});

test('one that can not be opened is told at once, and tried anew by the next', async () => {
  let attempts = 0;
  connect({ connect: async () => (++attempts === 1 ? Promise.reject(new Error('refused')) : undefined) });
  await expect(connections.lend()).rejects.toThrow('refused');
  await borrowed();
  expect(attempts).toBe(2);
});

test('who waits too long for one is told that all are in use, which does not mean that the database is gone', async () => {
  connect();
  const raw = await connections.lend();
  const error = await connections.lend().catch((thrown: unknown) => thrown);
  expect([isGone(error), isForAll(error)]).toEqual([false, true]);
  expect(String(error)).toContain('None of the 1 connections to the database became free in time');
  expect(told(error)).toMatchObject({ status: 503, message: 'All connections to the database are in use, try again' });
  connections.takeBack(raw);
});

test('who waits too long for one to be opened is told that the database is gone', async () => {
  let refuse: (error: Error) => void = () => undefined;
  connect({ connect: () => new Promise((_, no) => (refuse = no)) });
  const error = await connections.lend().catch((thrown: unknown) => thrown);
  expect(isGone(error)).toBe(true);
  expect(String(error)).toBe('Error: No connection to the database was opened in time');
  refuse(new Error('closed'));
});

test('the end waits for what is lent, and nothing is lent after it', async () => {
  connect();
  const raw = await connections.lend();
  const ended = connections.end();
  const late = await connections.lend().catch((thrown: unknown) => thrown);
  expect(isGone(late)).toBe(true);
  expect(closed).toEqual([]);
  connections.takeBack(raw);
  await ended;
  expect(closed).toEqual([raw]);
});

test('one that was opened apart from the pool belongs to who opened it', async () => {
  connect();
  const own = await connections.open();
  const raw = await connections.lend();
  expect(raw).not.toBe(own);
  connections.takeBack(raw);
  await connections.end();
  expect(closed).toEqual([raw]);
});

test('what is not given back in time is cut off, whoever took it, and then closed', async () => {
  connect({
    cut(raw) {
      cut.push(raw);
      connections.takeBack(raw);
    },
  });
  const raw = await connections.pool.acquire().promise;
  await connections.end();
  expect([cut.length, closed.length]).toEqual([1, 1]);
  expect([cut[0] === raw, closed[0] === raw]).toEqual([true, true]);
}, 10_000);
