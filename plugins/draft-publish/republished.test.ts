import { type Operation, rowId } from '../../core';
import { watchStatements } from '../sql/store/database-app.fixture';
import { versionsApp } from './versions-app.fixture';

// Documents that others link are published again.
// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

const app = versionsApp();
const papers = () => app().documents.of('api::paper.paper');
const idOf = (document: Readonly<Record<string, unknown>>): string => String(document['documentId']);
const draft = { parameters: { status: 'draft' } };

function publish(documentId: string): Promise<unknown> {
  const type = app().registry.get('api::paper.paper');
  const operation: Operation = { action: 'publish', type, documentId, query: {}, rights: 'system' };
  return app().actions.get('publish')!.run(operation);
}

/** The selects of a publication that come once the version that gives way is gone. */
async function lateSelects(documentId: string): Promise<string[]> {
  const statements: string[] = [];
  const unwatch = watchStatements(app().database, (sql) => void statements.push(sql));
  try {
    await publish(documentId);
  } finally {
    unwatch();
  }
  const gone = statements.findIndex((sql) => /^delete from .papers.\s/.test(sql));
  expect(gone).toBeGreaterThan(0);
  return statements.slice(gone).filter((sql) => sql.startsWith('select'));
}

/** Ways to link a paper: by itself, from a component, from one in a list, and from components of one. */
const ways = {
  next: (paper: string) => ({ next: [paper] }),
  card: (paper: string) => ({ card: { about: paper } }),
  zone: (paper: string) => ({ zone: [{ __component: 'part.card', sources: [paper] }] }),
  deck: (paper: string) => ({
    zone: [{ __component: 'part.deck', cards: [{ about: paper }, { sources: [paper] }] }],
  }),
};

/** A paper with others that link it in these ways. */
async function linked(...names: (keyof typeof ways)[]): Promise<{ readonly paper: string; readonly by: string[] }> {
  const paper = idOf(await papers().create({ title: 'linked' }));
  const by: string[] = [];
  for (const name of names) by.push(idOf(await papers().create({ title: 'linking', ...ways[name](paper) })));
  return { paper, by };
}

/** The versions of `paper` that published papers show wherever they link it. */
async function shownIn(paper: string, by: readonly string[]): Promise<unknown[]> {
  const shown: unknown[] = [];
  const populate = {
    next: true,
    card: { populate: { about: true } },
    zone: {
      on: { 'part.card': { populate: { sources: true } }, 'part.deck': { populate: { cards: { populate: '*' } } } },
    },
  };
  for (const id of by)
    JSON.stringify(await papers().findOne(id, { populate }), (key, value) => {
      if (key !== '' && value?.documentId === paper) shown.push(value.id);
      return value;
    });
  return shown;
}

test('where nothing is gained, what links it is looked for beside all else, and not behind it', async () => {
  const { paper, by } = await linked('next', 'card', 'zone');
  for (let time = 0; time < 2; time++) {
    // The links once more, and the answer.
    expect(await lateSelects(paper)).toHaveLength(2);
    const { id } = (await papers().findOne(paper))!;
    expect(await shownIn(paper, by)).toEqual([id, id, id]);
  }
});

test.each([
  ['both of its versions', 2],
  ['its published version alone', 1],
])('a draft that links %s links itself once when it is published', async (_name, most) => {
  const paper = idOf(await papers().create({ title: 'own' }));
  const { store, registry } = app();
  const type = registry.get('api::paper.paper');
  const versions = (): Promise<number[]> =>
    store.transaction(async (on) => (await on.rows(type, { documentId: paper })).map(rowId));
  const [own, former] = (await versions()) as [number, number];
  const targets = [former, own].slice(0, most).map((target) => ({ target, uid: type.uid }));
  await store.transaction(async (on) => on.tie(type, type.nested.get('next')!, [{ owner: own, targets }]));
  await publish(paper);
  const { id } = (await papers().findOne(paper))!;
  expect(await shownIn(paper, [paper])).toEqual([id]);
});

test('so it is found in what has one version, and in components of components', async () => {
  const { paper, by } = await linked('deck');
  const people = app().documents.of('api::person.person');
  const person = idOf(await people.create({ title: 'p', favourites: [paper] }));
  await publish(paper);
  const { id } = (await papers().findOne(paper))!;
  expect(await shownIn(paper, by)).toEqual([id, id]);
  expect(await people.findOne(person, { populate: { favourites: true } })).toMatchObject({ favourites: [{ id }] });
});

test('what links it in a draft alone shows it once it is published again', async () => {
  const { paper, by } = await linked('card', 'next');
  const [card] = by as [string];
  await papers().update(card, { card: { about: null } });
  await papers().update(card, ways.card(paper), draft);
  expect(await shownIn(paper, by)).toHaveLength(1);
  await publish(paper);
  const { id } = (await papers().findOne(paper))!;
  expect(await shownIn(paper, by)).toEqual([id, id]);
});

test('what links itself, from components of its own, too, links its new version', async () => {
  const paper = idOf(await papers().create({ title: 'own' }));
  await papers().update(paper, { ...ways.next(paper), ...ways.card(paper), ...ways.deck(paper) });
  for (let time = 0; time < 2; time++) {
    await publish(paper);
    const { id } = (await papers().findOne(paper))!;
    expect(await shownIn(paper, [paper])).toEqual([id, id, id, id]);
  }
});

test('components of what has no versions show what they link, once that is published', async () => {
  const people = app().documents.of('api::person.person');
  const paper = idOf(await papers().create({ title: 'linked' }, draft));
  const card = { __component: 'part.card', about: paper };
  const person = await people.create({
    title: 'linking',
    cards: [{ about: paper }, { sources: [paper] }],
    zone: [card, { __component: 'part.deck', cards: [{ about: paper }, { sources: [paper] }] }],
  });
  const populate = {
    cards: { populate: '*' },
    zone: {
      on: { 'part.card': { populate: '*' }, 'part.deck': { populate: { cards: { populate: '*' } } } },
    },
  };
  const shown = async (): Promise<number> =>
    JSON.stringify(await people.findOne(idOf(person), { populate })).split(`"${paper}"`).length - 1;
  expect(await shown()).toBe(0);
  for (let time = 0; time < 2; time++) {
    await publish(paper);
    expect(await shown()).toBe(5);
  }
});

test('what a published version links as a draft, as its own draft does, is linked once when it is published', async () => {
  const paper = idOf(await papers().create({ title: 'linked' }, draft));
  const linking = idOf(await papers().create({ title: 'linking', ...ways.next(paper), ...ways.zone(paper) }));
  const { store, registry } = app();
  const [type, part] = [registry.get('api::paper.paper'), registry.get('part.card')];
  const rowsOf = (documentId: string) => store.transaction(async (on) => on.rows(type, { documentId }));
  const [target] = (await rowsOf(paper)).map(rowId);
  const published = rowId((await rowsOf(linking)).find((row) => row['publishedAt'] !== null)!);
  const targets = [{ target: target!, uid: type.uid }];
  await store.transaction(async (on) => {
    const [zone] = await on.ties(type, type.nested.get('zone')!, [published]);
    await on.tie(type, type.nested.get('next')!, [{ owner: published, targets, current: [] }]);
    await on.tie(part, part.nested.get('sources')!, [{ owner: zone!.target, targets, current: [] }]);
  });
  await publish(paper);
  const { id } = (await papers().findOne(paper))!;
  expect(await shownIn(paper, [linking])).toEqual([id, id]);
});
