import { refusal } from '../../../core/content/content.fixture';
import { versionsApp } from '../../draft-publish/versions-app.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

jest.setTimeout(60_000);

const unique = { type: 'string', unique: true };
const perLocale = { pluginOptions: { i18n: { localized: true } } };
const mark = { type: 'component', component: 'part.mark' };
const marks = { ...mark, repeatable: true };
const zone = { type: 'dynamiczone', components: ['part.mark', 'part.seal'] };

const typeFile = (name: string, attributes: object, rest: object = {}): [string, object] => [
  `src/api/${name}/content-types/${name}/schema.json`,
  {
    kind: 'collectionType',
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    ...rest,
    attributes: { title: { type: 'string' }, ...attributes },
  },
];
const partFile = (name: string, attributes: object): [string, object] => [
  `src/components/part/${name}.json`,
  { collectionName: `components_part_${name}s`, info: { displayName: name }, attributes },
];

const files = Object.fromEntries([
  typeFile('thing', { mark, marks }),
  typeFile('page', { mark, marks, zone }, { options: { draftAndPublish: true } }),
  typeFile(
    'place',
    { mark: { ...mark, ...perLocale }, shared: mark },
    { options: { draftAndPublish: true }, pluginOptions: { i18n: { localized: true } } },
  ),
  partFile('mark', {
    code: unique,
    number: { type: 'integer', unique: true },
    note: { type: 'string' },
    seal: { type: 'component', component: 'part.seal' },
  }),
  partFile('seal', { code: unique, key: { type: 'uid' } }),
]) as Record<string, object>;

const app = versionsApp(files);

type Data = Record<string, unknown>;
const of = (type: string) => app().documents.of(`api::${type}.${type}`);
const create = async (type: string, data: Data, parameters: Data = {}): Promise<string> =>
  String((await of(type).create({ title: 't', ...data }, { parameters }))['documentId']);
const update = (type: string, id: string, data: Data, parameters: Data = {}) =>
  of(type).update(id, data, { parameters });

/** Where the values stand that were refused, and the values. */
async function taken(write: Promise<unknown>): Promise<[string, unknown][]> {
  const { details } = await refusal(write);
  const { errors } = details as { errors: { path: string[]; message: string; value: unknown }[] };
  return errors.map(({ path, message, value }) => {
    expect(message).toBe('This attribute must be unique');
    return [path.join('.'), value];
  });
}

test('a value in a component is unique among all that stand in the same place', async () => {
  const a = await create('thing', { mark: { code: 'a' } });
  expect(await taken(create('thing', { mark: { code: 'a' } }))).toEqual([['mark.code', 'a']]);
  await create('thing', { marks: [{ code: 'a' }] });
  await create('thing', { mark: { code: 'c' }, marks: [{ code: 'c' }] });
  expect(await taken(update('thing', a, { marks: [{ code: 'z' }, { code: 'a' }] }))).toEqual([['marks.1.code', 'a']]);
  await create('thing', { mark: { number: 5 } });
  expect(await taken(create('thing', { mark: { note: 'x', number: 5 } }))).toEqual([['mark.number', 5]]);
  await create('page', { mark: { code: 'a', number: 5 } });
});

test('a document does not clash with itself; empty values repeat; case tells values apart', async () => {
  const own = await create('thing', { mark: { code: 'own' }, marks: [{ code: 'one' }, { code: 'two' }] });
  await update('thing', own, { mark: { code: 'own', note: 'again' } });
  await update('thing', own, { marks: [{ code: 'two' }, { code: 'one' }] });
  const [read] = await of('thing').find({ filters: { documentId: own }, populate: 'marks' });
  const [first, second] = read!['marks'] as { id: number }[];
  await update('thing', own, {
    marks: [
      { id: first!.id, code: 'one' },
      { id: second!.id, code: 'two' },
    ],
  });
  await create('thing', { marks: [{ code: null }, { code: '' }, { code: '' }, {}] });
  await create('thing', { mark: { code: 'OWN' } });
  await create('thing', { mark: { code: 'own ' } });
});

test('values in one body are compared with each other, and all that are equal are told', async () => {
  expect(await taken(create('thing', { marks: ['t', 'u', 't', 't'].map((code) => ({ code })) }))).toEqual([
    ['marks.0.code', 't'],
    ['marks.2.code', 't'],
    ['marks.3.code', 't'],
  ]);
  const sealed = [{ seal: { code: 'i' } }, { seal: { code: 'i' } }];
  expect(await taken(create('thing', { marks: sealed }))).toEqual([
    ['marks.0.seal.code', 'i'],
    ['marks.1.seal.code', 'i'],
  ]);
  const several = [{ code: 'e', number: 7 }, { number: 7 }, { code: 'e' }];
  expect(await taken(create('thing', { marks: several }))).toEqual([
    ['marks.0.code', 'e'],
    ['marks.0.number', 7],
    ['marks.1.number', 7],
    ['marks.2.code', 'e'],
  ]);
});

test('components in components have a place of their own; uids are unique there as well', async () => {
  await create('thing', { mark: { seal: { code: 'deep', key: 'k' } } });
  expect(await taken(create('thing', { mark: { seal: { code: 'deep' } } }))).toEqual([['mark.seal.code', 'deep']]);
  expect(await taken(create('thing', { mark: { seal: { key: 'k' } } }))).toEqual([['mark.seal.key', 'k']]);
  await create('thing', { marks: [{ seal: { code: 'deep', key: 'k' } }] });
  expect(await taken(create('thing', { marks: [{}, { seal: { key: 'k' } }] }))).toEqual([['marks.1.seal.key', 'k']]);
});

test('entries of a zone are compared with each other only', async () => {
  const entry = (code: string) => ({ __component: 'part.mark', code });
  await create('page', { zone: [entry('z')] });
  await create('page', { zone: [entry('z'), { __component: 'part.seal', code: 'z' }] });
  await create('page', {
    zone: [
      { ...entry('x'), seal: { code: 's' } },
      { ...entry('y'), seal: { code: 's' } },
    ],
  });
  expect(await taken(create('page', { zone: [entry('z'), entry('z')] }))).toEqual([
    ['zone.0.code', 'z'],
    ['zone.1.code', 'z'],
  ]);
});

test('drafts may repeat values; what is published may not', async () => {
  const first = await create('page', { mark: { code: 'p' } });
  const draft = await create(
    'page',
    { mark: { code: 'p' }, marks: [{ code: 'q' }, { code: 'q' }] },
    { status: 'draft' },
  );
  expect(await taken(update('page', draft, {}))).toEqual([
    ['mark.code', 'p'],
    ['marks.0.code', 'q'],
    ['marks.1.code', 'q'],
  ]);
  await update('page', first, {});
  await update('page', first, { mark: { code: 'p' } });
  await create('page', { mark: { code: 'q' }, marks: [{ code: 'q' }] });
  await update('page', draft, { mark: { code: 'r' }, marks: [{ code: 'q2' }] });
});

test('each locale has values of its own, and a document shares its own among its locales', async () => {
  const own = await create('place', { mark: { code: 'l' }, shared: { code: 's' } });
  await update('place', own, { mark: { code: 'l' } }, { locale: 'fr' });
  expect(await taken(create('place', { mark: { code: 'l' } }))).toEqual([['mark.code', 'l']]);
  await create('place', { mark: { code: 'l' } }, { locale: 'de' });
  expect(await taken(create('place', { shared: { code: 's' } }, { locale: 'fr' }))).toEqual([['shared.code', 's']]);
  await update('place', own, { mark: { code: 'l' } }, { locale: 'fr' });
  await update('place', own, { shared: { code: 's' } });
});

test('of many writers of one value one wins', async () => {
  const all = Array.from({ length: 16 }, (_, at) =>
    create(
      'thing',
      at % 2 ? { marks: [{ code: 'race' }, { code: `r${at}` }] } : { marks: [{ code: `r${at}` }, { code: 'race' }] },
    ),
  );
  const outcomes = await Promise.allSettled(all);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ name: 'ValidationError', status: 400 });
});
