import {
  DOCUMENTS,
  type Heddle,
  type StoreTransaction,
  type TypeDocuments,
  validationError,
  type Written,
} from '../../../core';
import { makePlace, type Opened, openApp, openForeign, type Place, uid } from './database-app.fixture';

// Writes that a tap makes along with the one that it is told of.
// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

type Tap = (written: Written, along: TypeDocuments, transaction: StoreTransaction) => Promise<unknown>;

let place: Place;
let app: Opened;
/** What is done along with the writing of a document, by its name. */
let taps: Record<string, Tap>;
/** What was told of as committed, and what stood then. */
let committed: string[];

/** Names of documents that are stored. */
async function stored(): Promise<string[]> {
  const foreign = openForeign(place);
  try {
    return (await foreign('things').orderBy('id').pluck('name')) as string[];
  } finally {
    await foreign.destroy();
  }
}

const nameOf = ({ operation }: Written): string => String((operation as { data?: { name?: unknown } }).data?.name);

function apply({ hooks, service }: Heddle): void {
  hooks.document.written.tapPromise('own', async (written, transaction) => {
    await taps[nameOf(written)]?.(written, service(DOCUMENTS).of(uid, transaction), transaction);
  });
  hooks.document.committed.tapPromise('own', async (written) => {
    committed.push(`${nameOf(written)} of ${(await stored()).join(' ')}`);
    if (nameOf(written) === 'failing') throw new Error('told in vain');
  });
}

beforeAll(async () => {
  place = await makePlace({ name: { type: 'string' }, self: { type: 'relation', relation: 'manyToOne', target: uid } });
  app = await openApp(place, apply);
});
afterAll(async () => {
  await app.close();
  await place.remove();
});
beforeEach(async () => {
  taps = {};
  for (const { documentId } of await app.things.find()) await app.things.delete(String(documentId));
  committed = [];
});

test('is committed with the other, and told of afterwards, as that is', async () => {
  taps['order'] = (_, along) => along.create({ name: 'entry' });
  await app.things.create({ name: 'order' });
  expect(committed).toEqual(['entry of order entry', 'order of order entry']);
});

test('sees what the other has written, may link it, change and delete', async () => {
  const { documentId: old } = await app.things.create({ name: 'old' });
  const { documentId: stale } = await app.things.create({ name: 'stale' });
  taps['order'] = async ({ documentId }, along) => {
    expect((await along.find()).map(({ name }) => name)).toEqual(['old', 'stale', 'order']);
    expect(await along.findOne(documentId)).toMatchObject({ name: 'order' });
    await along.update(String(old), { name: 'new', self: documentId });
    await along.delete(String(stale));
    expect(await along.findOne(String(stale))).toBeUndefined();
  };
  await app.things.create({ name: 'order' });
  expect(await stored()).toEqual(['new', 'order']);
  expect(await app.things.find({ populate: 'self' })).toMatchObject([{ self: { name: 'order' } }, { self: null }]);
});

test('is undone where the other is', async () => {
  taps['order'] = async (_, along) => {
    await along.create({ name: 'entry' });
    throw validationError('No');
  };
  await expect(app.things.create({ name: 'order' })).rejects.toThrow('No');
  expect([await stored(), committed]).toEqual([[], []]);
});

test('undoes the other where it fails, also where the tap catches that', async () => {
  taps['order'] = async (_, along) => {
    await along.create({ name: 'entry' });
    await along.create({ name: 5 }).catch(() => undefined);
    await along.create({ name: 'last' });
  };
  await expect(app.things.create({ name: 'order' })).rejects.toThrow('name must be a `string` type');
  const { documentId } = await app.things.create({ name: 'there' });
  committed = [];
  await expect(app.things.update(String(documentId), { name: 'order' })).rejects.toThrow(
    'name must be a `string` type',
  );
  expect([await stored(), committed]).toEqual([['there'], []]);
});

test('whatever fails behind the commit of one, the other is told of', async () => {
  taps['order'] = (_, along) => along.create({ name: 'failing' });
  await expect(app.things.create({ name: 'order' })).rejects.toThrow('told in vain');
  expect(committed).toEqual(['failing of order failing', 'order of order failing']);
});

test('undoes the other as well where it is refused before it is begun', async () => {
  taps['order'] = (_, along) => along.create({ nmae: 'entry' }).catch(() => undefined);
  await expect(app.things.create({ name: 'order' })).rejects.toThrow('nmae');
  expect([await stored(), committed]).toEqual([[], []]);
});

test('may have others made along with it', async () => {
  taps['order'] = (_, along) => along.create({ name: 'entry' });
  taps['entry'] = (_, along) => along.create({ name: 'line' });
  await app.things.create({ name: 'order' });
  expect(await stored()).toEqual(['order', 'entry', 'line']);
  expect(committed.map((told) => told.split(' ')[0])).toEqual(['line', 'entry', 'order']);
});

test('twenty at once, with a change of what all share, come to an end', async () => {
  const { documentId } = await app.things.create({ name: 'shared' });
  taps['order'] = async (_, along) => {
    await along.update(String(documentId), { name: 'shared again' });
    await along.create({ name: 'entry' });
  };
  await Promise.all(Array.from({ length: 20 }, () => app.things.create({ name: 'order' })));
  expect((await stored()).filter((name) => name === 'entry')).toHaveLength(20);
});
