import { setTimeout as sleep } from 'node:timers/promises';
import { type ShownDocument, type StoreTransaction, valuesIn } from '../../core';
import { client } from '../sql/store/database-app.fixture';
import { relation, schema } from '../sql/store/schemas.fixture';
import { versionsApp } from './versions-app.fixture';

// What has no versions itself comes to link a published version just while that is replaced. DATABASE_CLIENT=postgres or
// mysql runs these tests on a server at 127.0.0.1.

jest.setTimeout(120_000);

const toStory = { target: 'api::story.story' };
const app = versionsApp({
  'src/components/part/box.json': {
    collectionName: 'components_part_boxes',
    info: { displayName: 'box' },
    attributes: { stories: relation('oneToMany', toStory) },
  },
  ...schema('story', {}, true),
  ...schema('shelf', {
    best: relation('oneToOne', toStory),
    shown: relation('oneToMany', toStory),
    about: relation('morphToOne'),
    things: relation('morphToMany'),
    box: { type: 'component', component: 'part.box' },
  }),
});

const system = { rights: 'system' } as const;
const typeOf = (name: string) => app().registry.get(`api::${name}.${name}`);

async function make(name: string): Promise<ShownDocument> {
  const made = await app().documents.create({
    action: 'create',
    type: typeOf(name),
    query: { parameters: {} },
    data: { title: name },
    ...system,
  });
  return valuesIn(made)[0]!;
}

const publish = (documentId: string) =>
  app()
    .actions.get('publish')!
    .run({ action: 'publish', type: typeOf('story'), documentId, query: { parameters: {} }, ...system });

const link = (documentId: string, data: object) =>
  app().documents.update({
    action: 'update',
    type: typeOf('shelf'),
    documentId,
    query: { parameters: {} },
    data: { ...data },
    ...system,
  });

/** The published stories that a shelf shows, its component included. */
async function titles(documentId: string): Promise<string[]> {
  const populate = { best: true, shown: true, about: true, things: true, box: { populate: '*' } };
  const found = await app().documents.read({
    action: 'findOne',
    type: typeOf('shelf'),
    documentId,
    query: { parameters: { status: 'published' }, populate },
    ...system,
  });
  return JSON.stringify(valuesIn(found)).match(/"title":"story"/g) ?? [];
}

type Begin = () => Promise<unknown>;
type Middle = (inside: StoreTransaction, begin: () => Promise<void>) => Partial<StoreTransaction>;

/** Has somebody begin in the middle of another's transaction, and waits for him a while. */
async function meanwhile(
  middle: Middle,
  first: Begin,
  second: Begin,
): Promise<readonly PromiseSettledResult<unknown>[]> {
  const { store } = app();
  const { transaction } = store;
  let other: Promise<unknown> | undefined;
  async function begin(): Promise<void> {
    other ??= second();
    await Promise.race([other.catch(() => undefined), sleep(150)]);
  }
  const watching: typeof transaction = (work) =>
    other
      ? transaction(work)
      : transaction(async (inside) =>
          work({ ...inside, ...middle(inside, async () => (other ? undefined : begin())) }),
        );
  Object.assign(store, { transaction: watching });
  try {
    const [outcome] = await Promise.allSettled([first()]);
    expect(other).toBeDefined();
    return [outcome!, ...(await Promise.allSettled([other]))];
  } finally {
    Object.assign(store, { transaction });
  }
}

/** In the middle: when rows of such a type were looked up. */
const onceLookedUp =
  (isAwaited: (uid: string) => boolean): Middle =>
  (inside, begin) => ({
    async rows(type, match, names) {
      const rows = await inside.rows(type, match, names);
      if (isAwaited(type.uid)) await begin();
      return rows;
    },
  });

const told = (outcome: PromiseSettledResult<unknown>): string =>
  outcome.status === 'fulfilled' ? 'done' : String(outcome.reason);

type Linking = (story: object) => object;
type Form = readonly [form: string, linking: Linking, unlinking: Linking | undefined];

const typed = { __type: 'api::story.story' };
const forms: readonly Form[] = [
  ['by a link to one', (story) => ({ best: { connect: [story] } }), (story) => ({ best: { disconnect: [story] } })],
  ['by a link to many', (story) => ({ shown: { connect: [story] } }), (story) => ({ shown: { disconnect: [story] } })],
  ['by a link to one of any type', (story) => ({ about: { ...story, ...typed } }), undefined],
  ['by links to things of any type', (story) => ({ things: [{ ...story, ...typed }] }), undefined],
  [
    'in a component',
    (story) => ({ box: { stories: { connect: [story] } } }),
    () => ({ box: { stories: { set: [] } } }),
  ],
];

// SQLite has one writer at a time.
const onServers = client === 'sqlite' ? describe.skip : describe;

const parts = async () => [await make('story'), await make('shelf')] as const;

onServers.each(forms)('what is linked %s', (_, linking) => {
  test.each(['published', undefined])(
    'is shown though it is published again before its former version is gone: %s',
    async (status) => {
      const [{ documentId }, shelf] = await parts();
      const outcomes = await meanwhile(
        (inside, begin) => ({
          async delete(type, match) {
            if (type.uid === 'api::story.story') await begin();
            return inside.delete(type, match);
          },
        }),
        () => publish(String(documentId)),
        () => link(String(shelf['documentId']), linking({ documentId, status })),
      );
      expect(outcomes.map(told)).toEqual(['done', 'done']);
      expect(await titles(String(shelf['documentId']))).toHaveLength(1);
    },
  );

  test.each(['published', undefined])(
    'is shown though it is published again once it was looked up: %s',
    async (status) => {
      const [{ documentId }, shelf] = await parts();
      const outcomes = await meanwhile(
        onceLookedUp((uid) => uid === 'api::story.story'),
        () => link(String(shelf['documentId']), linking({ documentId, status })),
        () => publish(String(documentId)),
      );
      expect(outcomes.map(told)).toEqual(['done', 'done']);
      expect(await titles(String(shelf['documentId']))).toHaveLength(1);
    },
  );

  test('by the number of its row is shown, or refused as one that is not there', async () => {
    const [{ documentId }, shelf] = await parts();
    const number = async () => {
      const found = await app().documents.read({
        action: 'find',
        type: typeOf('story'),
        query: { parameters: { status: 'published' }, filters: { documentId: { $eq: documentId } } },
        ...system,
      });
      return Number(valuesIn(found)[0]!['id']);
    };
    const published = await number();
    const [linked, other] = await meanwhile(
      onceLookedUp((uid) => uid === 'api::story.story'),
      () => link(String(shelf['documentId']), linking({ id: published })),
      () => publish(String(documentId)),
    );
    expect(told(other!)).toBe('done');
    const isLinked = told(linked!) === 'done';
    if (!isLinked) expect(told(linked!)).toMatch(/do not exist/);
    expect(await titles(String(shelf['documentId']))).toHaveLength(isLinked ? 1 : 0);
  });
});

(client === 'sqlite' ? test.skip : test).each(forms.filter(([, , unlinking]) => unlinking))(
  'what was linked %s is shown no longer, though it is published again once it was looked up',
  async (_, linking, unlinking) => {
    const [{ documentId }, shelf] = await parts();
    await link(String(shelf['documentId']), linking({ documentId }));
    expect(await titles(String(shelf['documentId']))).toHaveLength(1);
    const outcomes = await meanwhile(
      onceLookedUp((uid) => uid !== 'part.box'),
      () => link(String(shelf['documentId']), unlinking!({ documentId })),
      () => publish(String(documentId)),
    );
    expect(outcomes.map(told)).toEqual(['done', 'done']);
    expect(await titles(String(shelf['documentId']))).toEqual([]);
  },
);
