import type { Tie } from '../../../../core';
import type { Changed, Connection, Rows, Statement } from '../../database/database';
import { watchStatements } from '../database-app.fixture';
import { type LinkedApp, openLinkedApp } from '../linked-app.fixture';
import type { SqlTransaction } from '../writes/sql-transaction';
import { createLateTies } from './late-ties';
import type { TieInserts } from './tie-inserts';
import type { AddedTies } from './tie-lists';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

const select = { sql: 'select' };

interface Played {
  readonly said: string[];
  readonly connection: Connection;
}

/** A connection that says what is sent over it; it answers at once, or later, or fails. */
function played(answer: (sql: string) => Rows | Promise<Rows>): Played {
  const said: string[] = [];
  const rows = ({ sql }: { readonly sql: string }): Rows | Promise<Rows> => {
    said.push(sql);
    return answer(sql);
  };
  const none = (): void => undefined;
  const post: Connection['post'] = (statement) => {
    const answered = rows(statement);
    return answered instanceof Promise ? answered.then(none) : undefined;
  };
  async function run(statement: Statement): Promise<Changed> {
    await rows(statement);
    return { changes: 0, firstId: 0 };
  }
  return { said, connection: { rows, run, post } };
}

const ties = (count: number): AddedTies => ({ added: Array.from({ length: count }) }) as unknown as AddedTies;

const inserts: TieInserts = {
  send: (connection, all) => connection.post({ sql: `insert ${all.length}` }, []),
};

/** As where ends of lists are looked up first. */
const laterInserts: TieInserts = {
  async send(connection, all) {
    await undefined;
    await inserts.send(connection, all, () => undefined);
  },
};

const atOnce = (sql: string): Rows => [[sql]];
const later = async (sql: string): Promise<Rows> => [[sql]];

describe.each([
  ['answers at once', atOnce, inserts],
  ['answers later', later, inserts],
  ['answers at once, when something was looked up', atOnce, laterInserts],
])('over a connection that %s', (_, answer, sending) => {
  test('ties wait for each other, and go ahead of what comes next', async () => {
    const { said, connection } = played(answer);
    const late = createLateTies(connection, sending);
    late.add([ties(1)]);
    late.add([ties(2), ties(3)]);
    expect(said).toEqual([]);
    expect(await late.connection.rows(select, [])).toEqual([['select']]);
    await late.connection.post(select, []);
    expect(said).toEqual(['insert 3', 'select', 'select']);
    late.add([ties(1)]);
    await late.finish();
    await late.finish();
    expect(said.slice(3)).toEqual(['insert 1']);
  });

  test('not very many wait', async () => {
    const { said, connection } = played(answer);
    const late = createLateTies(connection, sending);
    await late.add([ties(4_999)]);
    expect(said).toEqual([]);
    await late.add([ties(1)]);
    expect(said).toEqual(['insert 2']);
  });
});

test.each([
  ['at once', () => [], false],
  ['later', async () => [], true],
])(
  'ties that can not be added, as is told %s, fail all that comes after them, and the end',
  async (_, answer, isLate) => {
    const { said, connection } = played((sql) => {
      if (!sql.startsWith('insert')) return answer();
      if (isLate) return Promise.reject(new Error('refused'));
      throw new Error('refused');
    });
    const late = createLateTies(connection, inserts);
    late.add([ties(1)]);
    for (const after of ['rows', 'run', 'post'] as const)
      await expect((async () => late.connection[after](select, []))()).rejects.toThrow('refused');
    await expect((async () => late.finish())()).rejects.toThrow('refused');
    expect(said).toEqual(['insert 1']);
  },
);

test('what comes while ties are on their way waits for all of them', async () => {
  const answers: (() => void)[] = [];
  const { said, connection } = played((sql) =>
    sql === 'select' ? [] : new Promise((resolve) => answers.push(() => resolve([]))),
  );
  const late = createLateTies(connection, inserts);
  const told: string[] = [];
  const full = Promise.resolve(late.add([ties(5_000)])).then(() => told.push('full'));
  const first = Promise.resolve(late.connection.run(select, [])).then(() => told.push('run'));
  late.add([ties(1), ties(1)]);
  const second = Promise.resolve(late.connection.post(select, [])).then(() => told.push('post'));
  answers.shift()!();
  await Promise.all([full, first]);
  expect(said).toEqual(['insert 1', 'select', 'insert 2']);
  answers.shift()!();
  await second;
  expect(told).toEqual(['full', 'run', 'post']);
});

/** As where ends of lists are noted: nobody waits until they are told. */
const noting = (told: Promise<void>): TieInserts => ({
  send(connection, all, telling) {
    telling(told);
    return inserts.send(connection, all, telling);
  },
});

test('who wants to know where ties stand waits until that is told, and nobody else', async () => {
  let tell = (): void => undefined;
  const { said, connection } = played(() => []);
  const late = createLateTies(connection, noting(new Promise((resolve) => (tell = resolve))));
  late.add([ties(1)]);
  expect(late.connection.rows(select, [])).toEqual([]);
  let isTold = false;
  const told = Promise.resolve(late.told()).then(() => (isTold = true));
  await late.connection.post(select, []);
  expect([isTold, said]).toEqual([false, ['insert 1', 'select', 'select']]);
  tell();
  await told;
  expect(late.told()).toBeUndefined();
});

test('who wants to know where ties stand is told why that is not known', async () => {
  const { connection } = played(() => []);
  const late = createLateTies(connection, noting(Promise.reject(new Error('refused'))));
  late.add([ties(1)]);
  await expect((async () => late.told())()).rejects.toThrow('refused');
  late.add([ties(1)]);
  await expect((async () => late.told())()).rejects.toThrow('refused');
});

test('nothing can be tied when the end has come', async () => {
  const { connection } = played(() => []);
  const late = createLateTies(connection, inserts);
  await late.finish();
  expect(() => late.add([ties(1)])).toThrow('The transaction is over');
});

describe('in a transaction', () => {
  let app: LinkedApp;
  beforeAll(async () => {
    app = await openLinkedApp();
  });
  afterAll(() => app.remove());

  const links = (statements: readonly string[]): string[] => statements.filter((sql) => /^insert.*_lnk\b/.test(sql));

  test('ties of several rows are added by one statement, before anything that may show them', async () => {
    const [item, tag] = [app.registry.get('api::item.item'), app.registry.get('api::tag.tag')];
    const tags = item.nested.get('tags')!;
    const statements: string[] = [];
    const unwatch = watchStatements(app.database, (sql) => void statements.push(sql));
    const ids = await app.store.transaction(async (transaction) => {
      const [target] = (await transaction.insert(tag, [{ name: 'tag', documentId: 'tag' }])) as [number];
      const owners: number[] = [];
      for (const name of ['one', 'two']) {
        const [owner] = (await transaction.insert(item, [{ name, documentId: name }])) as [number];
        const targets = [{ target, uid: tag.uid, back: owners.length + 1 }];
        await transaction.tie(item, tags, [{ owner, targets, current: [] }]);
        owners.push(owner);
      }
      expect(links(statements)).toEqual([]);
      await (transaction as SqlTransaction).connection.rows({ sql: 'select 1' }, []);
      expect(links(statements)).toHaveLength(1);
      // What is tied now is known by its row.
      await transaction.delete(item, { id: owners[0]! });
      await transaction.tie(item, tags, [{ owner: owners[1]!, targets: [] }]);
      await transaction.tie(item, tags, [{ owner: owners[1]!, targets: [{ target, uid: tag.uid, back: 1 }] }]);
      expect(links(statements)).toHaveLength(1);
      return { owner: owners[1]!, target };
    });
    unwatch();
    expect(links(statements)).toHaveLength(2);
    const found = await app.store.transaction(async (transaction) => transaction.ties(item, tags, [ids.owner]));
    expect(found).toMatchObject([{ owner: ids.owner, target: ids.target }]);
  });

  test('ties of one table keep their order, from whichever side they come', async () => {
    const [item, tag] = [app.registry.get('api::item.item'), app.registry.get('api::tag.tag')];
    const [tags, items] = [item.nested.get('tags')!, tag.nested.get('items')!];
    const found = await app.store.transaction(async (transaction) => {
      const [one, two] = await transaction.insert(
        item,
        ['a', 'b'].map((name) => ({ name, documentId: `side ${name}` })),
      );
      const [first, second] = await transaction.insert(
        tag,
        ['a', 'b'].map((name) => ({ name, documentId: `side ${name}` })),
      );
      const target = (id: number | undefined, uid: string) => ({ target: id!, uid, back: 1 });
      const current: Tie[] = [];
      await transaction.tie(item, tags, [{ owner: one!, targets: [target(first, tag.uid)], current }]);
      await transaction.tie(tag, items, [{ owner: first!, targets: [target(two, item.uid)], current }]);
      await transaction.tie(item, tags, [{ owner: two!, targets: [target(second, tag.uid)], current }]);
      return (await transaction.ties(item, tags, [two!])).map((tie) => [tie.target === first, tie.target === second]);
    });
    expect(found).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  test('a trigger that runs when a row is changed sees what the row was tied to before', async () => {
    const [item, tag] = [app.registry.get('api::item.item'), app.registry.get('api::tag.tag')];
    const statements: string[] = [];
    const unwatch = watchStatements(app.database, (sql) => void statements.push(sql));
    await app.store.transaction(async (transaction) => {
      const [target] = (await transaction.insert(tag, [{ name: 'tag', documentId: 'seen' }])) as [number];
      const [owner] = (await transaction.insert(item, [{ name: 'item', documentId: 'seen' }])) as [number];
      const targets = [{ target, uid: tag.uid, back: 1 }];
      await transaction.tie(item, item.nested.get('tags')!, [{ owner, targets, current: [] }]);
      await transaction.update(item, { id: owner }, { name: 'changed' });
    });
    unwatch();
    const told = statements.filter((sql) => /_lnk\b|^update/.test(sql)).map((sql) => sql.split(' ', 1)[0]);
    expect(told).toEqual(['insert', 'update']);
  });

  test('a row that is gone takes ties with it that were waiting', async () => {
    const [item, tag] = [app.registry.get('api::item.item'), app.registry.get('api::tag.tag')];
    const tags = item.nested.get('tags')!;
    const target = await app.store.transaction(async (transaction) => {
      const [id] = (await transaction.insert(tag, [{ name: 'tag', documentId: 'another' }])) as [number];
      const [owner] = (await transaction.insert(item, [{ name: 'gone', documentId: 'gone' }])) as [number];
      await transaction.tie(item, tags, [{ owner, targets: [{ target: id, uid: tag.uid, back: 1 }], current: [] }]);
      await transaction.delete(item, { id: owner });
      return id;
    });
    const found = await app.store.transaction(async (transaction) => transaction.tiesTo(item, tags, tag.uid, [target]));
    expect(found).toEqual([]);
  });
});
