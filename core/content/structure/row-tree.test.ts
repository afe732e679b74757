import { linkedInMemory } from './in-memory.fixture';
import { readTrees } from './row-tree';

const { registry, store, documents } = linkedInMemory();
const item = registry.get('api::item.item');
const page = registry.get('part.page');

async function made(name: string): Promise<number> {
  const { documentId } = await documents.of(item.uid).create({ name, pages: [{ text: `of ${name}` }] });
  return store.transaction(async (transaction) =>
    Number((await transaction.rows(item, { documentId: String(documentId) }))[0]!['id']),
  );
}

test('reads of each group what that group holds, also where a row is gone', async () => {
  const [first, second] = [await made('first'), await made('second')];
  const gone = [second + 1, second + 2, second + 3];
  const trees = await store.transaction((transaction) =>
    readTrees(item, [[first], gone, [second, ...gone]], { transaction, registry }),
  );
  const rows = trees.map(([own]) => [...own!.get(item)!.rows.keys()]);
  expect(rows).toEqual([[first], [], [second]]);
  const texts = trees.map(([, parts]) => [...(parts?.get(page)?.rows.values() ?? [])].map(({ text }) => text));
  expect(texts).toEqual([['of first'], [], ['of second']]);
});
