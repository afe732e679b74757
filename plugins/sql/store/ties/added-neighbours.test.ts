import type { Knex } from 'knex';
import type { ContentType, Nested, StoreTransaction } from '../../../../core';
import { client, watchStatements } from '../database-app.fixture';
import { type LinkedApp, openLinkedApp } from '../linked-app.fixture';
import { unknowing } from '../unknowing.fixture';

// What stands in a list before what a transaction has added to its end.
// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

let app: LinkedApp;
beforeAll(async () => {
  app = await openLinkedApp();
});
afterAll(() => app.remove());

const typeOf = (name: 'item' | 'tag'): ContentType => app.registry.get(`api::${name}.${name}`);
const listOfTags = (): Nested => typeOf('tag').nested.get('items')!;
/** What looks up the ends of lists: a server notes them. */
const lookups = { sqlite: /^select \(select/, mysql: /^select @heddle_end/, postgres: /^select set_config\(/ };
let documents = 0;
const rowOf = (name: string) => ({ name, documentId: `document ${++documents}` });

const tying = (owner: number, target: number, back?: number) => ({
  owner,
  targets: [{ target, uid: 'api::tag.tag', ...(back !== undefined && { back }) }],
  current: [],
});

/** A tag that lists one item. */
const makeList = () =>
  app.store.transaction(async (transaction) => {
    const [first] = (await transaction.insert(typeOf('item'), [rowOf('first')])) as [number];
    const [tag] = (await transaction.insert(typeOf('tag'), [rowOf('tag')])) as [number];
    await transaction.tie(typeOf('item'), typeOf('item').nested.get('tags')!, [tying(first, tag)]);
    return { first, tag };
  });

/** Works in a transaction that adds items to the end of a tag's list. */
function appending(
  tag: number,
  work: (added: {
    readonly transaction: StoreTransaction;
    readonly items: readonly [number, number];
    append(...tyings: ReturnType<typeof tying>[]): Promise<void>;
    before(row: number, most: number): Promise<number[]>;
  }) => Promise<void>,
): Promise<void> {
  const [item, lists] = [typeOf('item'), listOfTags()];
  return app.store.transaction(async (transaction) => {
    const items = (await transaction.insert(item, [rowOf('one'), rowOf('other')])) as [number, number];
    const append = async (...tyings: ReturnType<typeof tying>[]) =>
      transaction.tie(item, item.nested.get('tags')!, tyings);
    await append(...items.map((each) => tying(each, tag)));
    await work({
      transaction,
      items,
      append,
      before: async (row, most) =>
        (await transaction.before(typeOf('tag'), lists, [tag], row, most)).map(({ target }) => target),
    });
  });
}

test('what stands before something that was added is known, once it is there', async () => {
  const { first, tag } = await makeList();
  const statements: string[] = [];
  const unwatch = watchStatements(app.database, (sql) => void statements.push(sql));
  await appending(tag, async ({ items: [one, other], before }) => {
    statements.length = 0;
    expect(await before(other, 1)).toEqual([one]);
    expect(await before(one, 1)).toEqual([first]);
    expect(statements.filter((sql) => sql.includes('items_tags_lnk'))).toEqual([
      expect.stringMatching(lookups[client]),
      expect.stringMatching(/^insert /),
    ]);
    statements.length = 0;
    expect(await before(other, 2)).toEqual([one, first]);
    expect(statements).toHaveLength(1);
  });
  unwatch();
});

test('what was moved stands before something that was added', async () => {
  const { first, tag } = await makeList();
  await appending(tag, async ({ transaction, items: [one, other], before }) => {
    expect(await before(one, 1)).toEqual([first]);
    await transaction.place(typeOf('tag'), listOfTags(), tag, other, first);
    expect(await before(one, 1)).toEqual([other]);
  });
});

test('what was given a place stands before something that was added', async () => {
  const { tag } = await makeList();
  await appending(tag, async ({ transaction, items: [one, other], append, before }) => {
    expect(await before(other, 1)).toEqual([one]);
    const [between] = (await transaction.insert(typeOf('item'), [rowOf('between')])) as [number];
    await append(tying(between, tag, 2.5));
    expect(await before(other, 1)).toEqual([between]);
  });
});

const nothing = { item_id: null, item_ord: 9 };

test.each<[string, (knex: Knex, tag_id: number) => PromiseLike<unknown>, 0 | 1]>([
  ['what has no number', (knex, tag_id) => knex('items_tags_lnk').where({ tag_id }).update({ item_ord: null }), 1],
  ['what is there, not a tie of nothing,', (knex, tag_id) => knex('items_tags_lnk').insert({ ...nothing, tag_id }), 1],
  ['nothing', (knex, tag_id) => knex('items_tags_lnk').where({ tag_id }).delete(), 0],
])('%s stands before what was added', async (_, change, count) => {
  const { first, tag } = await makeList();
  await change(app.database.knex(), tag);
  const asked: string[] = [];
  const unwatch = watchStatements(app.database, (sql) => void asked.push(sql));
  await appending(tag, async ({ transaction, items: [one], before }) => {
    const expected = [first].slice(0, count);
    expect(await before(one, 1)).toEqual(expected);
    asked.length = 0;
    expect(await before(one, 1)).toEqual(expected);
    expect(asked).toEqual([]);
    const told = await unknowing(app, transaction).before(typeOf('tag'), listOfTags(), [tag], one, 1);
    expect(told.map(({ target }) => target)).toEqual(expected);
    expect(asked).toHaveLength(1);
  });
  unwatch();
});
