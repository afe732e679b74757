import type { DocumentAddition, Written } from '../hooks';
import type { DocumentStore, StoreTransaction } from '../store';
import type { TargetsOf } from './copied-links';
import { copyRows } from './copy-rows';
import { linkedInMemory } from './in-memory.fixture';
import { heldBy } from './structure.fixture';

// Each new item is there twice: a plugin makes a copy of it with another name.

interface Counting extends DocumentStore {
  /** How many statements added rows since this was called last, and how many rows, by type. */
  added(): Record<string, number[]>;
}

function counting(store: DocumentStore): Counting {
  let found: Record<string, number[]> = {};
  const counted = (transaction: StoreTransaction): StoreTransaction => ({
    ...transaction,
    insert(type, rows) {
      found[type.uid] = [...(found[type.uid] ?? []), rows.length];
      return transaction.insert(type, rows);
    },
  });
  return {
    ...store,
    transaction: (work) => store.transaction((transaction) => work(counted(transaction))),
    added() {
      const before = found;
      found = {};
      return before;
    },
  };
}

const app = linkedInMemory([], counting);
const { hooks, registry, store, documents } = app;
const item = registry.get('api::item.item');
const page = registry.get('part.page');
const items = documents.of(item.uid);
const sameTargets: TargetsOf = async (_type, rows) => new Map(rows.map((row) => [row, row]));

const additions: DocumentAddition[] = [];
/** What another plugin does to a new item before it is copied. */
let before: (written: Written, transaction: StoreTransaction) => Promise<void> = async () => undefined;

hooks.twin.tap('test', (addition) => {
  additions.push(addition);
  return addition.operation.type === item ? { name: `copy of ${addition.operation.data['name']}` } : undefined;
});
hooks.written.tapPromise('before', async (written, transaction) => {
  if (written.twin) await before(written, transaction);
});
hooks.written.tapPromise('test', async ({ created, twin }, transaction) => {
  if (!twin) return;
  const copied = [{ from: created![0]!, values: twin.values, twins: twin.rows }];
  const ids = await copyRows(item, copied, { transaction, registry, targets: sameTargets });
  expect(ids).toEqual([twin.rows.get(item)!.get(created![0]!)!.id]);
});

beforeEach(() => {
  before = async () => undefined;
  additions.length = 0;
  store.added();
});

const everything = (name: string, owner: string) => ({
  name,
  lead: owner,
  cover: { title: 'c', pages: [{ text: '1', by: owner }] },
  pages: [{ text: '2' }, { text: '3', by: owner }],
  zone: [
    { __component: 'part.page', text: '4' },
    { __component: 'part.cover', title: 'z', pages: [{ text: '5' }] },
  ],
});

const makeOwner = async (name: string): Promise<string> =>
  String((await documents.of('api::owner.owner').create({ name }))['documentId']);

/** An item and its copy, as they are shown. */
async function both(name: string): Promise<[unknown, unknown]> {
  const held = await heldBy(store, registry);
  const named = (label: string): object => ({ ...(held.documents[`item ${label}`] as object), label: '' });
  expect(held.orphans).toEqual({ 'part.cover': 0, 'part.page': 0 });
  return [named(name), named(`copy of ${name}`)];
}

test('a copy that was asked for is added with the row, and so are its components', async () => {
  const owner = await makeOwner('o');
  store.added();
  await items.create(everything('whole', owner));
  expect(store.added()).toEqual({ [item.uid]: [2], 'part.cover': [4], 'part.page': [10] });
  const [original, copy] = await both('whole');
  expect(copy).toEqual(original);
  expect(original).toMatchObject({ lead: ['o'], pages: [{ label: '2' }, { label: '3', by: ['o'] }] });
});

test('it is told what is about to be added, with its links, and asked for new documents only', async () => {
  const owner = await makeOwner('asked');
  const { documentId } = await items.create({ name: 'once', lead: owner, pages: [{ text: '1', by: owner }] });
  await items.update(String(documentId), { name: 'changed', lead: owner });
  expect(additions.map(({ operation }) => operation.type.uid)).toEqual(['api::owner.owner', item.uid]);
  const { links } = additions[1]!;
  expect(links.map(({ label, rows }) => [label, rows.length])).toEqual([
    ['lead', 1],
    ['pages[0].by', 1],
  ]);
});

test('what is changed before the copy is made shows in the copy', async () => {
  before = async ({ created }, transaction) => {
    await transaction.update(item, { id: created![0]! }, { name: 'renamed' });
    const parts = await transaction.ties(item, item.nested.get('pages')!, created!);
    await transaction.update(page, { id: parts[1]!.target }, { text: 'changed', size: 7 });
  };
  await items.create(everything('named', await makeOwner('p')));
  const { documents: held } = await heldBy(store, registry);
  expect(held['item renamed']).toMatchObject({ pages: [{ label: '2' }, { label: 'changed', size: 7 }] });
  expect(held['item copy of named']).toMatchObject({ pages: [{ label: '2' }, { label: 'changed', size: 7 }] });
});

test('components that come and go before the copy is made come and go there', async () => {
  before = async ({ created }, transaction) => {
    const pages = item.nested.get('pages')!;
    const [first, second] = await transaction.ties(item, pages, created!);
    const [added] = await transaction.insert(page, [{ text: 'added', size: 2 }]);
    const targets = [{ target: added!, uid: page.uid }, second!];
    await transaction.tie(item, pages, [{ owner: created![0]!, targets }]);
    await transaction.delete(page, { id: first!.target });
  };
  await items.create(everything('other', await makeOwner('q')));
  const [original, copy] = await both('other');
  expect(copy).toEqual(original);
  expect(copy).toMatchObject({ pages: [{ label: 'added' }, { label: '3' }] });
});

test('where several components differ they are added again with one statement', async () => {
  before = async ({ created }, transaction) => {
    const parts = await transaction.ties(item, item.nested.get('pages')!, created!);
    await transaction.update(page, { id: parts.map(({ target }) => target) }, { size: 9 });
  };
  const owner = await makeOwner('s');
  store.added();
  await items.create({ name: 'several', pages: [{ text: '1', by: owner }, { text: '2' }, { text: '3' }] });
  expect(store.added()).toEqual({ [item.uid]: [2], 'part.page': [6, 3] });
  const [original, copy] = await both('several');
  expect(copy).toEqual(original);
  expect(copy).toMatchObject({ pages: [{ size: 9 }, { size: 9 }, { size: 9 }] });
});

test('what is refused leaves neither behind', async () => {
  before = async () => {
    throw new Error('refused');
  };
  const was = await heldBy(store, registry);
  await expect(items.create(everything('none', await makeOwner('r')))).rejects.toThrow('refused');
  const { documents: held, orphans } = await heldBy(store, registry);
  expect(Object.keys(held).filter((name) => name.includes('none'))).toEqual([]);
  expect(orphans).toEqual(was.orphans);
});
