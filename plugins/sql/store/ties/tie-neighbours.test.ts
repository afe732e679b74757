import { watchStatements } from '../database-app.fixture';
import { type LinkedApp, openLinkedApp } from '../linked-app.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

let app: LinkedApp;
beforeAll(async () => {
  app = await openLinkedApp();
});
afterAll(() => app.remove());

test('what stands before a target is told of as many lists, and as far, as each question asks', async () => {
  const [item, tag] = [app.registry.get('api::item.item'), app.registry.get('api::tag.tag')];
  const tags = item.nested.get('tags')!;
  const rows = (name: string, count: number) =>
    Array.from({ length: count }, (_, at) => ({ name, documentId: `${name} ${at}` }));
  const asked = await app.store.transaction(async (transaction) => {
    const owners = await transaction.insert(item, rows('list', 2));
    const targets = await transaction.insert(tag, rows('listed', 4));
    const tying = (owner: number | undefined, order: readonly number[]) => ({
      owner: owner!,
      targets: order.map((at) => ({ target: targets[at]!, uid: tag.uid })),
    });
    await transaction.tie(item, tags, [tying(owners[0], [0, 1, 2, 3]), tying(owners[1], [2, 3, 1])]);
    const before = async (most: number, lists: readonly number[]): Promise<unknown> => {
      const found = await transaction.before(item, tags, lists, targets[3]!, most);
      return found.map(({ owner, target }) => [owners.indexOf(owner), targets.indexOf(target)]);
    };
    return [
      await before(1, owners.slice(0, 1)),
      await before(8, owners.slice(0, 1)),
      await before(2, owners.slice(0, 1)),
      await before(1, owners),
      await before(8, owners),
    ];
  });
  const all = [
    [0, 2],
    [0, 1],
    [0, 0],
  ];
  expect(asked.slice(0, 3)).toEqual([all.slice(0, 1), all, all.slice(0, 2)]);
  const sorted = (told: unknown) => [...(told as number[][])].sort(([one], [other]) => one! - other!);
  expect(sorted(asked[3])).toEqual([
    [0, 2],
    [1, 2],
  ]);
  expect(sorted(asked[4])).toEqual([...all, [1, 2]]);
});

test('a list whose numbers leave no room is read once and numbered anew', async () => {
  const [item, tag] = [app.registry.get('api::item.item'), app.registry.get('api::tag.tag')];
  const tags = item.nested.get('tags')!;
  const { owner, targets } = await app.store.transaction(async (transaction) => {
    const [owner] = (await transaction.insert(item, [{ name: 'dense', documentId: 'dense' }])) as [number];
    const rows = [0, 1, 2, 3].map((at) => ({ name: 'dense', documentId: `dense ${at}` }));
    const targets = await transaction.insert(tag, rows);
    await transaction.tie(item, tags, [{ owner, targets: targets.map((target) => ({ target, uid: tag.uid })) }]);
    return { owner, targets };
  });
  const { id } = app.database.dialect;
  await app.database.transaction(async (connection) =>
    connection.run({ sql: `update ${id('items_tags_lnk')} set ${id('tag_ord')}=1` }, []),
  );
  const reads: string[] = [];
  const unwatch = watchStatements(app.database, (sql) => {
    if (/^select 0,/.test(sql)) reads.push(sql);
  });
  await app.store.transaction(async (transaction) => transaction.place(item, tags, owner, targets[3]!, targets[0]!));
  unwatch();
  expect(reads).toHaveLength(1);
  const list = await app.store.transaction(async (transaction) => transaction.ties(item, tags, [owner]));
  expect(list.map(({ target }) => targets.indexOf(target))).toEqual([0, 3, 1, 2]);
});
