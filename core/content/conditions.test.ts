import { buildRegistry } from './build-registry';
import { conditionOf, isAlwaysRequired } from './conditions';
import { type Attributes, inMemory, refusal, registryOf, things } from './content.fixture';
import { createDocuments } from './documents';
import { documentHooks } from './hooks';
import { shippedKinds } from './kinds/shipped';
import { createMemoryStore } from './memory/memory-store';
import { nestedKinds } from './nested';

const when = (name: string, value: unknown, operator = '==') => ({
  conditions: { visible: { [operator]: [{ var: name }, value] } },
});

const conditional: Attributes = {
  title: { type: 'string' },
  text: { type: 'string', required: true, minLength: 3, unique: true, ...when('open', true) },
  count: { type: 'integer', required: true, ...when('kind', 'news') },
  other: { type: 'string', required: true, ...when('kind', 'event', '!=') },
  late: { type: 'string', required: true, ...when('stage', 'late') },
  open: { type: 'boolean' },
  kind: { type: 'enumeration', enum: ['news', 'event'] },
  stage: { type: 'enumeration', enum: ['early', 'late'], default: 'early' },
};
const hidden = { open: false, kind: 'event' };

const conditionsIn = (attributes: Attributes) => inMemory(attributes).documents.of('api::thing.thing');

async function messages(work: Promise<unknown>): Promise<string[]> {
  const { details } = (await refusal(work)) as { details?: { errors: { message: string }[] } };
  return details!.errors.map(({ message }) => message);
}

describe('a document that is made', () => {
  test('demands nothing that it hides', async () => {
    expect(await conditionsIn(conditional).create(hidden)).toMatchObject({ text: null, count: null, other: null });
  });

  test('keeps what is given for what it hides, and checks no more of that than its kind', async () => {
    const documents = conditionsIn(conditional);
    expect(await documents.create({ ...hidden, text: 'a' })).toMatchObject({ text: 'a' });
    expect(await documents.create({ ...hidden, text: 'a' })).toMatchObject({ text: 'a' });
    expect(await messages(documents.create({ ...hidden, count: 'much' }))).toHaveLength(1);
  });

  test('demands what it shows', async () => {
    const documents = conditionsIn(conditional);
    const wrong = ['text must be defined.', 'count must be defined.', 'other must be defined.'];
    expect(await messages(documents.create({ open: true, kind: 'news' }))).toEqual(wrong);
    expect(await messages(documents.create({}))).toEqual(['other must be defined.']);
    expect(await messages(documents.create({ ...hidden, open: 'true' }))).toEqual(['text must be defined.']);
  });

  test('is judged by what it will hold', async () => {
    const documents = conditionsIn({ ...conditional, late: { ...conditional['late']!, ...when('stage', 'early') } });
    expect(await messages(documents.create(hidden))).toEqual(['late must be defined.']);
    expect(await documents.create({ ...hidden, stage: null })).toMatchObject({ late: null });
  });
});

describe('a document that is changed', () => {
  test('is judged by what it holds where the body does not say it', async () => {
    const documents = conditionsIn(conditional);
    const { documentId } = await documents.create({ open: true, kind: 'event', text: 'long' });
    const change = (data: object) => documents.update(String(documentId), { ...data });
    expect(await messages(change({ text: null }))).toHaveLength(1);
    expect(await messages(change({ text: 'a' }))).toHaveLength(1);
    expect(await change({ other: null, count: null })).toMatchObject({ other: null, text: 'long' });
    expect(await change({ text: null, open: false })).toMatchObject({ text: null, open: false });
    expect(await change({ text: 'b' })).toMatchObject({ text: 'b' });
  });

  test('keeps what it no longer shows, and demands nothing that is not said', async () => {
    const documents = conditionsIn(conditional);
    const { documentId } = await documents.create({ open: true, kind: 'event', text: 'long' });
    expect(await documents.update(String(documentId), { open: false })).toMatchObject({ text: 'long' });
    expect(await documents.update(String(documentId), { kind: 'news' })).toMatchObject({ count: null });
  });
});

describe('components', () => {
  const part = things({ flag: { type: 'boolean' }, text: { type: 'string', required: true, ...when('flag', true) } });
  const definitions = [
    things({
      open: { type: 'boolean' },
      list: { type: 'component', component: 'a.part', repeatable: true, required: true, min: 2, ...when('open', true) },
      zone: { type: 'dynamiczone', components: ['a.part'], required: true, ...when('open', true) },
      part: { type: 'component', component: 'a.part' },
    }),
    { ...part, uid: 'a.part', modelKind: 'component' as const, collectionName: 'parts' },
  ];

  function ofThings() {
    const registry = registryOf(definitions, { kinds: nestedKinds });
    const store = createMemoryStore();
    const all = createDocuments(
      documentHooks(),
      () => registry,
      () => store,
    );
    const parts = () => store.transaction(async (transaction) => transaction.rows(registry.get('a.part'), {}));
    return { documents: all.of('api::thing.thing'), parts };
  }

  test('are demanded, as zones are, and counted where they are shown', async () => {
    const { documents } = ofThings();
    expect(await documents.create({ open: false })).toBeDefined();
    expect(await documents.create({ open: false, list: null, zone: null })).toBeDefined();
    expect(await documents.create({ open: false, list: [{}], part: {} })).toBeDefined();
    expect(await messages(documents.create({ open: true, part: { flag: true } }))).toEqual([
      'list must be defined.',
      'zone must be defined.',
      'part.text must be defined.',
    ]);
  });

  describe('that are changed by their ids', () => {
    const empty = 'text must be a `string` type, but the final value was: `null`.';

    test('are judged by what they hold where the body does not say it', async () => {
      const { documents, parts } = ofThings();
      const { documentId } = await documents.create({ part: { flag: true, text: 'a' } });
      const [{ id }] = (await parts()) as [{ id: number }];
      const change = (part: object) => documents.update(String(documentId), { part: { id, ...part } });
      expect(await messages(change({ text: null }))).toEqual([`part.${empty}`]);
      await change({ text: null, flag: false });
      await change({ text: null });
      expect(await parts()).toMatchObject([{ id, flag: false, text: null }]);
      expect(await messages(change({ flag: true, text: null }))).toEqual([`part.${empty}`]);
    });

    test('are judged by what was said of them before, where they are named twice', async () => {
      const { documents, parts } = ofThings();
      const { documentId } = await documents.create({ open: true, zone: [], list: [{ flag: false, text: 'a' }, {}] });
      const [{ id }] = (await parts()) as [{ id: number }];
      const change = (...list: object[]) =>
        documents.update(String(documentId), { list: list.map((part) => ({ id, ...part })) });
      expect(await messages(change({ flag: true }, { text: null }))).toEqual([`list[1].${empty}`]);
      await change({ flag: false }, { text: null });
    });

    test('are judged in zones, too', async () => {
      const { documents, parts } = ofThings();
      const zone = [{ __component: 'a.part', flag: true, text: 'a' }];
      const { documentId } = await documents.create({ open: true, list: [{}, {}], zone });
      const { id } = (await parts()).find(({ flag }) => flag === true)!;
      const change = documents.update(String(documentId), { zone: [{ __component: 'a.part', id, text: null }] });
      expect(await messages(change)).toEqual([`zone[0].${empty}`]);
    });

    test('tell nothing of what another document holds', async () => {
      const { documents, parts } = ofThings();
      await documents.create({ part: { flag: true, text: 'a' } });
      const { documentId } = await documents.create({});
      const [{ id }] = (await parts()) as [{ id: number }];
      for (const foreign of [id, 1.5, 3_000_000_000, '99999999999999999999'])
        expect(
          await refusal(documents.update(String(documentId), { part: { id: foreign, text: null } })),
        ).toMatchObject({
          message: 'Some of the provided components in part are not related to the entity',
        });
    });
  });
});

test.each<[unknown, boolean, boolean]>([
  [{ '===': [{ var: 'flag' }, true] }, true, false],
  [{ '!==': [{ var: 'flag' }, true] }, false, true],
  [{ '!': [{ var: 'flag' }] }, false, true],
  [{ '!!': { var: 'flag' } }, true, false],
  [{ var: ['flag'] }, true, false],
  [{ in: [{ var: 'flag' }, [1, true]] }, true, false],
  [{ and: [{ '>=': [{ var: 'flag' }, 1] }, { '<': [0, 1] }] }, true, false],
  [{ or: [{ '<=': [{ var: 'flag' }, 0] }, { '>': [0, 1] }] }, false, true],
  [true, true, true],
])('%j is a condition', (visible, ifSet, otherwise) => {
  const { isShown } = conditionOf({ type: 'string', conditions: { visible } })!;
  expect([isShown(() => true), isShown(() => false)]).toEqual([ifSet, otherwise]);
});

test('what is no condition, or names no attribute with a value, is told and refuses nothing', () => {
  const wrong = {
    text: { type: 'string' },
    one: { type: 'string', conditions: 'text' },
    two: { type: 'string', conditions: { visble: true } },
    three: { type: 'string', conditions: { visible: { annd: [] } } },
    four: { type: 'string', conditions: { visible: {} } },
    five: { type: 'string', ...when('texd', 'x') },
    six: { type: 'string', ...when('text', 'x') },
    seven: { type: 'string', conditions: null },
    eight: { type: 'string', conditions: { visible: { toString: [] } } },
  };
  const kinds = new Map(shippedKinds.map((kind) => [kind.name, kind]));
  const { problems, notices } = buildRegistry({ definitions: [things(wrong)], kinds, dimensions: [] });
  expect(problems).toEqual([]);
  expect(notices.map((notice) => notice.split('/attributes/')[1])).toEqual([
    'one/conditions is without effect: it says nothing under "visible".',
    'two/conditions is without effect: it says nothing under "visible".',
    'three/conditions is without effect: it has the operator "annd", which is none. Did you mean "and"?',
    'four/conditions is without effect: it does not hold one operator.',
    'five/conditions takes "texd" for empty: no such attribute holds a value. Did you mean "text"?',
    'eight/conditions is without effect: it has the operator "toString", which is none.',
  ]);
});

test('what is hidden now and then is not always there', () => {
  expect(isAlwaysRequired({ type: 'string', required: true })).toBe(true);
  expect(isAlwaysRequired({ type: 'string', required: true, ...when('open', true) })).toBe(false);
});
