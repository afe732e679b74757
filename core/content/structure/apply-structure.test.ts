import type { DocumentStore } from '../store';
import { linkedInMemory } from './in-memory.fixture';

const tied: string[] = [];

/** Notes what is tied, in its order. */
const noting = (store: DocumentStore): DocumentStore => ({
  ...store,
  transaction: (work) =>
    store.transaction((transaction) =>
      work({
        ...transaction,
        tieAll(all) {
          tied.push(...all.map(({ type, nested }) => `${type.singularName} ${nested.name}`));
          return transaction.tieAll(all);
        },
      }),
    ),
});

const { documents } = linkedInMemory([], noting);

test('components are tied type by type, in the order in which types come first, also where a first one ties nothing', async () => {
  const { documentId: by } = await documents.of('api::owner.owner').create({ name: 'somebody' });
  const zone = [
    { __component: 'part.page', text: 'bare' },
    { __component: 'part.cover', title: 'above', pages: [{ text: 'inside' }] },
    { __component: 'part.page', text: 'signed', by },
  ];
  await documents.of('api::item.item').create({ name: 'one', zone });
  expect(tied).toEqual(['item zone', 'page by', 'cover pages']);
});
