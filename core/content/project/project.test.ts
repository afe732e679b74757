import type { AppFolder } from '../../testing/app-folder';
import { appFolder } from '../../testing/app-folder';
import { testApplication } from '../../testing/test-application';
import { readProject } from './read-project';

const schema = (name: string, attributes: object = {}, over: object = {}) => ({
  kind: 'collectionType',
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options: {},
  attributes,
  ...over,
});
const fileOf = (name: string, api = name): string => `src/api/${api}/content-types/${name}/schema.json`;

let folder: AppFolder | undefined;
afterEach(() => folder?.remove());

function read(files: Record<string, string | object>) {
  folder = appFolder(files);
  return readProject(folder.appDir);
}

/** What keeps an application with these files from starting. */
async function problems(files: Record<string, string | object>): Promise<object[]> {
  const app = await testApplication({ files }).catch((error: Error & { problems: object[] }) => error);
  if ('remove' in app) {
    await app.remove();
    throw new Error('was not refused');
  }
  return app.problems;
}

test('types, components and extensions are found where projects keep them', () => {
  const { definitions, problems, notices } = read({
    [fileOf('post', 'blog')]: schema('post', { title: { type: 'string' } }),
    [fileOf('home')]: { kind: 'singleType', info: { singularName: 'home', pluralName: 'homes' }, attributes: {} },
    'src/components/shared/seo.json': { info: {}, attributes: { metaTitle: { type: 'string' } } },
    'src/extensions/accounts/content-types/user/schema.json': schema('user', {}, { collectionName: 'accounts_users' }),
    'config/api/note/content-types/note/schema.json': schema('note'),
    'src/api/post/controllers/post.js': 'module.exports = {}',
  });
  expect(problems).toEqual([]);
  expect(notices).toEqual([]);
  expect(definitions.map(({ uid, modelKind, collectionName }) => [uid, modelKind, collectionName])).toEqual([
    ['api::blog.post', 'collectionType', 'posts'],
    ['api::home.home', 'singleType', 'home'],
    ['plugin::accounts.user', 'collectionType', 'accounts_users'],
    ['shared.seo', 'component', 'components_shared_seos'],
    ['api::note.note', 'collectionType', 'notes'],
  ]);
});

test('a hundred files are read in no time, long names and many attributes included', () => {
  const attributes = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [`attribute${index}WithALongName`, { type: 'string' }]),
  );
  const files = Array.from({ length: 100 }, (_, index) => {
    const name = `a-rather-long-name-for-a-content-type-that-needs-shortening-${index}`;
    return [fileOf(name), schema(name, attributes)] as const;
  });
  const start = performance.now();
  const { definitions, problems } = read(Object.fromEntries(files));
  expect(performance.now() - start).toBeLessThan(1000);
  expect([definitions.length, problems]).toEqual([100, []]);
});

test('a key that nobody knows is named, not refused', () => {
  const { notices, definitions } = read({
    [fileOf('post')]: schema(
      'post',
      {},
      { lifecycles: {}, colectionName: 'a', options: { draftAndPublsh: true, comment: '' } },
    ),
  });
  expect(definitions).toHaveLength(1);
  const unknown = 'is without effect: no such key is known.';
  expect(notices).toEqual([
    `${fileOf('post')} /lifecycles ${unknown}`,
    `${fileOf('post')} /colectionName ${unknown} Did you mean "collectionName"?`,
    `${fileOf('post')} /options/draftAndPublsh is without effect: no such option is known. Did you mean "draftAndPublish"?`,
  ]);
});

test('every problem of a project comes in one report: file, pointer, what, remedy', async () => {
  const found = await problems({
    [fileOf('broken')]: '{',
    [fileOf('shouting')]: schema('Shouting'),
    [fileOf('odd')]: schema('odd', { 'a b': { type: 'string' } }),
    [fileOf('untyped')]: schema('untyped', { size: {} }),
    [fileOf('misspelt')]: schema('misspelt', { color: { type: 'strng' } }),
    [fileOf('one')]: schema('one', {}, { collectionName: 'same' }),
    [fileOf('two')]: schema('two', {}, { collectionName: 'Same' }),
    [fileOf('sheep')]: { ...schema('sheep'), info: { singularName: 'sheep', pluralName: 'sheep' } },
  });
  const text = found.map((problem) => JSON.stringify(problem));
  const one = (...parts: string[]) =>
    expect(text.filter((line) => parts.every((part) => line.includes(part)))).toHaveLength(1);
  one('broken/content-types', 'is not readable as JSON');
  one('shouting/content-types', '/info/singularName', 'kebab-case');
  one('odd/content-types', '/attributes/a b', 'is no attribute name');
  one('untyped/content-types', '/attributes/size/type');
  one('misspelt/content-types', '/attributes/color');
  one('two/content-types', 'collectionName', 'one/content-types', 'Give one of the two another name.');
  one('sheep/content-types', '/info/pluralName');
  for (const problem of found)
    expect(problem).toMatchObject({
      where: expect.any(String),
      what: expect.any(String),
      remedy: expect.stringMatching(/[.?]$/),
    });
});

test('mistakes inside attributes are told with their pointers', async () => {
  const found = await problems({
    [fileOf('odd')]: schema('odd', {
      color: { type: 'strng' },
      size: { type: 'string', minLength: 'x', regex: '(' },
      line: { type: 'enumeration', enum: [] },
      createdAt: { type: 'datetime' },
      documentId: { type: 'string' },
      id: { type: 'integer' },
    }),
  });
  const at = (pointer: string) => found.find((problem) => (problem as { at?: string }).at === `/attributes/${pointer}`);
  expect(at('color')).toMatchObject({
    where: fileOf('odd'),
    what: 'has the type "strng", which no plugin registers.',
    remedy: expect.stringContaining('Did you mean "string"?'),
  });
  expect(at('size/minLength')).toBeDefined();
  expect(at('size/regex')).toMatchObject({ what: 'is no valid regular expression.' });
  expect(at('line/enum')).toBeDefined();
  for (const name of ['createdAt', 'documentId', 'id'])
    expect(at(name)).toMatchObject({ what: 'has a name that the service itself uses.' });
});

test('a word is no yes, and relations say what kind they are and where they lead', async () => {
  const found = await problems({
    [fileOf('odd')]: schema('odd', {
      name: {
        type: 'string',
        private: 'yes',
        required: 1,
        unique: 'true',
      },
      friend: { type: 'relation', target: 'api::odd.odd' },
      other: { type: 'relation', relation: 'oneToSome', target: 'api::odd.odd' },
      lost: { type: 'relation', relation: 'manyToOne' },
      part: { type: 'component', component: 'shared.seo', repeatable: 'yes' },
      zone: { type: 'dynamiczone', components: 'shared.seo' },
    }),
    'src/components/shared/seo.json': { attributes: { title: { type: 'string', private: 'no' } } },
  });
  expect(found.map((problem) => (problem as { at: string }).at).sort()).toEqual(
    [
      'friend/relation',
      'lost/target',
      'name/private',
      'name/required',
      'name/unique',
      'other/relation',
      'part/repeatable',
      'title/private',
      'zone/components',
    ].map((pointer) => `/attributes/${pointer}`),
  );
  expect(found).toContainEqual(
    expect.objectContaining({ where: fileOf('odd'), what: expect.stringMatching(/is missing.*"api::author.author"/) }),
  );
});

test('a file may begin with the mark of its encoding', () => {
  const { problems, definitions } = read({ [fileOf('post')]: `\uFEFF${JSON.stringify(schema('post'))}` });
  expect([problems, definitions.length]).toEqual([[], 1]);
});

test('an attribute without a type hides nothing else of its file', async () => {
  const found = await problems({
    [fileOf('odd')]: schema(
      'odd',
      {
        size: {},
        weight: 5,
        'a b': { type: 'string' },
        color: { type: 'strng' },
        line: { type: 'string', minLength: 'x' },
        friend: { type: 'relation', relation: 'manyToOne', target: 'api::nobody.nobody' },
      },
      { options: { draftAndPublish: 'yes' } },
    ),
    [fileOf('post')]: schema('post', { size: {}, color: { type: 'strng' }, odd: { type: 'string', minLength: 'x' } }),
  });
  const at = (name: string) => found.filter((one) => (one as { where: string }).where === fileOf(name));
  const pointers = (name: string) => at(name).map((one) => (one as { at: string }).at);
  expect(pointers('odd').sort()).toEqual([
    '/attributes/a b',
    '/attributes/size/type',
    '/attributes/weight',
    '/options/draftAndPublish',
  ]);
  expect(pointers('post').sort()).toEqual(['/attributes/color', '/attributes/odd/minLength', '/attributes/size/type']);
});

test('names that lead nowhere are told with what was probably meant', async () => {
  const found = await problems({
    [fileOf('post')]: schema('post', {
      author: { type: 'relation', relation: 'manyToOne', target: 'api::writer.writr' },
      seo: { type: 'component', component: 'shared.so' },
      zone: { type: 'dynamiczone', components: ['shared.seo', 'shared.gone'] },
      owner: { type: 'relation', relation: 'manyToOne', target: 'api::writer.writer', inversedBy: 'post' },
      user: { type: 'relation', relation: 'manyToOne', target: 'plugin::accounts.user' },
    }),
    [fileOf('writer')]: schema('writer', { posts: { type: 'string' } }),
    'src/components/shared/seo.json': { attributes: {} },
  });
  const references = found.filter((problem) => JSON.stringify(problem).includes('not there'));
  expect(references).toEqual([
    expect.objectContaining({ at: '/attributes/author', remedy: expect.stringContaining('"api::writer.writer"?') }),
    expect.objectContaining({ at: '/attributes/seo', remedy: expect.stringContaining('"shared.seo"?') }),
    expect.objectContaining({ at: '/attributes/zone', what: 'names "shared.gone", which is not there.' }),
    expect.objectContaining({ at: '/attributes/owner', what: expect.stringContaining('"post" of api::writer.writer') }),
  ]);
});

test('two types of one uid or one name in the API are refused', async () => {
  const found = await problems({
    [fileOf('post', 'a')]: schema('post'),
    [fileOf('post', 'b')]: schema('post', {}, { collectionName: 'others' }),
    'config/api/a/content-types/post/schema.json': schema('post', {}, { collectionName: 'thirds' }),
  });
  const texts = found.map((problem) => (problem as { what: string }).what);
  expect(texts).toContainEqual(expect.stringContaining('has the same uid as'));
  expect(texts).toContainEqual(expect.stringContaining('has the same name in the API as'));
});
