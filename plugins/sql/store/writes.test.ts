import type { Knex } from 'knex';
import { type Heddle, HeddleError } from '../../../core';
import { databaseFor, databaseKeys } from '../config';
import {
  client,
  connectionTo,
  makePlace,
  type Opened,
  openApp,
  openForeign,
  type Place,
  rowsOf,
  uid,
  watchStatements,
} from './database-app.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

const attributes = {
  name: { type: 'string', required: true },
  sku: { type: 'string', unique: true },
  serial: { type: 'biginteger', unique: true },
  stock: { type: 'integer' },
};

/** What the plugin of the running test does inside a write's transaction. */
let inside: ((transaction: Parameters<Tap>[1]) => Promise<void>) | undefined;
type Tap = Parameters<Heddle['hooks']['document']['written']['tapPromise']>[1];

let place: Place;
let app: Opened;
let foreign: Knex;

beforeAll(async () => {
  place = await makePlace(attributes);
  app = await openApp(place, ({ hooks }) => {
    hooks.document.written.tapPromise('own', async (_written, transaction) => inside?.(transaction));
  });
  foreign = openForeign(place);
});
afterAll(async () => {
  await app.close();
  await foreign.destroy();
  await place.remove();
});
beforeEach(() => foreign('things').delete());
afterEach(() => {
  inside = undefined;
});

/** A promise that somebody else fulfils. */
function createGate(): { promise: Promise<void>; resolve: () => void } {
  let resolve!: () => void;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const sleep = (time: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, time));

async function refusal(work: Promise<unknown>): Promise<HeddleError> {
  const outcome = await work.then(
    () => undefined,
    (error) => error,
  );
  if (outcome === undefined) throw new Error('was not refused');
  return outcome;
}

/** Kills a write before its first statement, its second and so on, until it gets through; answers how often it died. */
async function killed(write: () => Promise<unknown>): Promise<number> {
  const old = await rowsOf(foreign);
  for (let fatal = 1; ; fatal++) {
    let statement = 0;
    const unwatch = watchStatements(app.database, () => {
      if (++statement === fatal) throw new Error('killed');
    });
    const error = await write().then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    unwatch();
    if (error === undefined) return fatal - 1;
    expect(error.message).toBe('killed');
    expect(await rowsOf(foreign)).toBe(old);
  }
}

const writes: Readonly<Record<string, (documentId: string) => Promise<unknown>>> = {
  create: () => app.things.create({ name: 'b', sku: 'y', serial: '7' }),
  update: (documentId) => app.things.update(documentId, { name: 'c', sku: 'z' }),
  delete: (documentId) => app.things.delete(documentId),
};

test.each(Object.keys(writes))(
  '%s, killed before any of its statements, leaves the old state and can be done again',
  async (name) => {
    const { documentId } = await app.things.create({ name: 'a', sku: 'x', stock: 1 });
    const old = await rowsOf(foreign);
    expect(await killed(() => writes[name]!(String(documentId)))).toBeGreaterThan(2);
    expect(await rowsOf(foreign)).not.toBe(old);
  },
);

test('a tap that sleeps inside a transaction and fails disturbs no reader, and no reader sees its rows', async () => {
  await app.things.create({ name: 'kept' });
  const gate = createGate();
  const asleep = createGate();
  let ended = false;
  inside = async () => {
    asleep.resolve();
    await gate.promise;
    throw new HeddleError('ApplicationError', 'rolled back');
  };
  const write = refusal(app.things.create({ name: 'ghost' })).finally(() => {
    ended = true;
  });
  await asleep.promise;
  const seen = await Promise.all(Array.from({ length: 20 }, () => app.things.find()));
  expect(ended).toBe(false);
  gate.resolve();
  for (const list of seen) expect(list).toMatchObject([{ name: 'kept' }]);
  expect((await write).message).toBe('rolled back');
  expect(await app.things.find()).toMatchObject([{ name: 'kept' }]);
});

test('writers behind one that sleeps wait and are done, in whole', async () => {
  let first = true;
  inside = async () => {
    if (first) {
      first = false;
      await sleep(30);
      throw new HeddleError('ApplicationError', 'rolled back');
    }
  };
  const names = ['a', 'b', 'c', 'd'];
  const outcomes = await Promise.allSettled(names.map((name) => app.things.create({ name })));
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(await app.things.find()).toHaveLength(3);
});

test('of concurrent creates with one unique value exactly one wins, also from two instances', async () => {
  const other = await openApp(place);
  const create = (index: number) =>
    (index % 2 ? app : other).things.create({ name: `n${index}`, sku: 'one', serial: '5' });
  const outcomes = await Promise.allSettled(Array.from({ length: 16 }, (_, index) => create(index)));
  await other.close();
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ name: 'ValidationError', status: 400 });
  expect(await app.things.find()).toHaveLength(1);
});

test('unique is by exact text, whatever the collation', async () => {
  const values = ['a', 'A', 'á', 'a ', ' a', 'ß', 'ss', 'ｓs', '1', '01', '%', '_', '', ''];
  for (const sku of values) expect(await app.things.create({ name: 'x', sku })).toMatchObject({ sku });
  expect((await refusal(app.things.create({ name: 'x', sku: 'á' }))).message).toBe('This attribute must be unique');
});

test('unique is by every digit of a big integer', async () => {
  const big = 2n ** 53n;
  await app.things.create({ name: 'x', serial: String(big + 1n) });
  expect(await app.things.create({ name: 'x', serial: String(big) })).toMatchObject({ serial: String(big) });
  const again = refusal(app.things.create({ name: 'x', serial: String(big + 1n) }));
  expect((await again).message).toBe('This attribute must be unique');
});

test('a big integer that is refused is told as text, also when it comes as a number of its own', async () => {
  const serial = 2n ** 53n + 1n;
  await app.things.create({ name: 'x', serial });
  const { details } = await refusal(app.things.create({ name: 'x', serial }));
  expect(details).toMatchObject({ errors: [{ path: ['serial'], value: '9007199254740993' }] });
});

test('concurrent updates of one document leave what some order of them leaves', async () => {
  const { documentId } = await app.things.create({ name: 'a', stock: 0 });
  const updates = Array.from({ length: 10 }, (_, index) => ({ name: `n${index}`, stock: index }));
  await Promise.all(updates.map((data) => app.things.update(String(documentId), data)));
  const [document, ...others] = await app.things.find();
  expect(others).toEqual([]);
  expect(document!['name']).toBe(`n${document!['stock']}`);
});

test('an update and a delete at once leave the document changed or away', async () => {
  for (let round = 0; round < 5; round++) {
    const { documentId } = await app.things.create({ name: 'a' });
    const [update] = await Promise.allSettled([
      app.things.update(String(documentId), { name: 'b' }),
      app.things.delete(String(documentId)),
    ]);
    if (update.status === 'rejected') expect(update.reason).toMatchObject({ status: 404 });
    expect(await app.things.findOne(String(documentId))).toBeUndefined();
  }
});

test('work that lost against another writer is done again', async () => {
  const code = { sqlite: 'SQLITE_BUSY', postgres: '40P01', mysql: 'ER_LOCK_DEADLOCK' }[client];
  let losses = 3;
  const unwatch = watchStatements(app.database, (sql) => {
    if (sql.startsWith('insert into') && sql.includes('things') && losses-- > 0)
      throw Object.assign(new Error('lost'), { code });
  });
  await app.things.create({ name: 'a' });
  unwatch();
  expect(await app.things.find()).toHaveLength(1);
});

test('so is work that lost inside a tap', async () => {
  const code = { sqlite: 'SQLITE_BUSY', postgres: '40P01', mysql: 'ER_LOCK_DEADLOCK' }[client];
  let losses = 2;
  inside = async () => {
    if (losses-- > 0) throw Object.assign(new Error('lost'), { code });
  };
  await app.things.create({ name: 'a' });
  expect([losses, (await app.things.find()).length]).toEqual([-1, 1]);
});

test('who always loses is told to try again, without the words of the driver', async () => {
  const code = { sqlite: 'SQLITE_BUSY', postgres: '40001', mysql: 'ER_LOCK_WAIT_TIMEOUT' }[client];
  const unwatch = watchStatements(app.database, () => {
    throw Object.assign(new Error('select secret'), { code });
  });
  const error = await refusal(app.things.create({ name: 'a' }));
  unwatch();
  expect(error).toMatchObject({ status: 503, message: 'Too many writers at once, try again' });
});

if (client === 'sqlite')
  test('a file that another process is writing to is waited for', async () => {
    const busy = openForeign(place);
    const transaction = await busy.transaction();
    await transaction.raw('update things set name = name');
    await transaction('things').insert({ document_id: 'foreign', name: 'foreign' });
    setTimeout(() => void transaction.commit(), 60);
    expect(await app.things.create({ name: 'a' })).toMatchObject({ name: 'a' });
    expect(await app.things.find({ fields: 'name', sort: 'name' })).toMatchObject([{ name: 'a' }, { name: 'foreign' }]);
    await busy.destroy();
  });

if (client !== 'sqlite')
  test('a pool without a free connection is told within its timeout, and serves again once there is one', async () => {
    const connection = { client, connection: connectionTo[client](place.name), pool: { max: 1 } };
    const config = databaseKeys.connection.parse({ ...connection, acquireConnectionTimeout: 1_000 });
    const database = databaseFor({ connection: config, maxAnswerBytes: 1_000_000 }, '');
    const gate = createGate();
    const entered = createGate();
    const holder = database.transaction(async () => {
      entered.resolve();
      await gate.promise;
    });
    await entered.promise;
    const allInUse = { status: 503, message: 'All connections to the database are in use, try again' };
    try {
      expect(await refusal(Promise.resolve(database.rows({ sql: 'select 1' }, [])))).toMatchObject(allInUse);
      expect(await refusal(database.transaction(async () => undefined))).toMatchObject(allInUse);
    } finally {
      gate.resolve();
      await holder;
    }
    expect(await database.rows({ sql: "select 'a'" }, [])).toEqual([['a']]);
    await database.close();
  });

test('a value that the database can not hold is the fault of the caller', async () => {
  const data = client === 'sqlite' ? undefined : { name: 'a', stock: 3_000_000_000 };
  if (data) expect(await refusal(app.things.create(data))).toMatchObject({ status: 400, name: 'ValidationError' });
  expect(await app.things.find()).toEqual([]);
});

test('transactions of one request are not joined by another', async () => {
  const { type } = app;
  const names: string[][] = [];
  inside = async (transaction) => {
    await sleep(5);
    names.push((await transaction.rows(type, {})).map(({ name }) => String(name)));
  };
  await Promise.all(['a', 'b', 'c'].map((name) => app.things.create({ name })));
  const committed = (await app.things.find()).map(({ name }) => String(name));
  expect(committed.sort()).toEqual(['a', 'b', 'c']);
  for (const seen of names) expect(new Set(seen).size).toBe(seen.length);
  expect(app.documents.of(uid)).toBeDefined();
});
