import { changingApp, draft, type Files, idOf, pathOf } from './changing-app.fixture';
import { projectFiles } from './linked-project.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

jest.setTimeout(120_000);

const { opened, docs, rowsOf } = changingApp();

test('what was linked while nobody served versions is linked in the draft, too', async () => {
  await opened(projectFiles());
  const topic = idOf(await docs('topic').create({ title: 't' }));
  const old = idOf(await docs('paper').create({ title: 'old' }));
  await opened(projectFiles(), ['draft-publish']);
  const card = { about: old, sources: [old] };
  await docs('paper').create({
    title: 'new',
    topics: [topic],
    main: topic,
    next: [old],
    cites: [old],
    pair: old,
    card,
  });
  await opened(projectFiles());
  const populate = { topics: true, main: true, next: true, cites: true, pair: true, card: { populate: '*' } };
  for (const status of ['draft', 'published']) {
    const [shown] = await docs('paper').find({ filters: { title: 'new' }, populate, parameters: { status } });
    const [linked, titled] = [[{ title: 'old' }], { title: 'old' }];
    expect(shown).toMatchObject({
      topics: [{ title: 't' }],
      main: { title: 't' },
      next: linked,
      cites: linked,
      pair: titled,
    });
    expect(shown).toMatchObject({ card: { about: titled, sources: linked } });
  }
});

const relation = (form: string, target: string, more: object): object => ({
  type: 'relation',
  relation: form,
  target: `api::${target}.${target}`,
  ...more,
});

const schema = (name: string, draftAndPublish: boolean, attributes: object, kind = 'collectionType'): Files => ({
  [pathOf(name)]: {
    kind,
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options: { draftAndPublish },
    attributes: { title: { type: 'string' }, ...attributes },
  },
});

/** Pages, which a column of theirs and columns of remarks link; what they must have has no default. */
const filesWithColumns = (draftAndPublish: boolean): Files => ({
  ...projectFiles(),
  ...schema('page', draftAndPublish, {
    title: { type: 'string', column: { notNullable: true } },
    seal: relation('oneToOne', 'paper', { useJoinTable: false }),
    notes: relation('oneToMany', 'remark', { mappedBy: 'page' }),
  }),
  ...schema('remark', false, {
    page: relation('manyToOne', 'page', { inversedBy: 'notes', useJoinTable: false }),
    other: relation('oneToOne', 'page', { useJoinTable: false }),
  }),
});

test('a column of what has no versions goes on leading to what is published, and a new one leads there', async () => {
  await opened(filesWithColumns(false));
  const seal = idOf(await docs('paper').create({ title: 'seal' }));
  const page = idOf(await docs('page').create({ title: 'page', seal }));
  await docs('remark').create({ title: 'before', page, other: page });
  await opened(filesWithColumns(true));
  await docs('remark').create({ title: 'after', page, other: page });
  const titled = { title: 'page' };
  expect(await docs('remark').find({ sort: 'id', populate: '*' })).toMatchObject([
    { title: 'before', page: titled, other: titled },
    { title: 'after', page: titled, other: titled },
  ]);
  expect(await docs('page').findOne(page, { populate: '*' })).toMatchObject({
    notes: [{}, {}],
    seal: { title: 'seal' },
  });
  expect(await docs('page').findOne(page, { populate: 'seal', ...draft })).toMatchObject({ seal: { title: 'seal' } });
});

test('a type that is localized again gets a locale before drafts are looked for', async () => {
  const topic = projectFiles()[pathOf('topic')];
  const plain = { ...projectFiles(), [pathOf('topic')]: { ...topic, pluginOptions: {} } };
  await opened(projectFiles());
  const id = idOf(await docs('topic').create({ title: 'one' }));
  await opened(plain);
  // Published anew, without a locale; the draft has the one that it had.
  await docs('topic').update(id, { title: 'two' });
  await opened(plain, ['draft-publish']);
  await opened(projectFiles());
  for (const status of ['draft', 'published'])
    expect(await docs('topic').find({ parameters: { status } })).toMatchObject([{ title: 'two', locale: 'en' }]);
  expect(await rowsOf('topic')).toHaveLength(2);
});

test('a single type gets its draft', async () => {
  const home = (draftAndPublish: boolean): Files => ({
    ...projectFiles(),
    ...schema('home', draftAndPublish, {}, 'singleType'),
  });
  await opened(home(false));
  await docs('home').create({ title: 'home' });
  await opened(home(true));
  expect(await rowsOf('home')).toMatchObject([{ title: 'home' }, { title: 'home', publishedAt: null }]);
});

test.each([true, false])('a link to any type is kept, whether its own type had drafts: %j', async (hadDrafts) => {
  const mark = (draftAndPublish: boolean): Files => ({
    ...projectFiles(),
    ...schema('mark', draftAndPublish, { subject: { type: 'relation', relation: 'morphToOne' } }),
  });
  await opened(mark(hadDrafts), hadDrafts ? ['draft-publish'] : []);
  const id = idOf(await docs('paper').create({ title: 'subject' }));
  await docs('mark').create({ title: 'mark', subject: { __type: 'api::paper.paper', documentId: id } });
  await opened(mark(true));
  for (const status of ['draft', 'published'])
    expect(await docs('mark').find({ parameters: { status }, populate: '*' })).toMatchObject([
      { title: 'mark', subject: { documentId: id } },
    ]);
});
