import { appFolder } from '../testing/app-folder';
import { testApplication } from '../testing/test-application';
import { misplacedSchemas } from './misplaced-schemas';

const schema = { info: {}, attributes: { title: { type: 'string' } } };

const right = {
  'src/api/a/content-types/a/schema.json': schema,
  'config/api/b/content-types/b/schema.json': schema,
  'src/extensions/users/content-types/user/schema.json': schema,
  'src/components/shared/seo.json': schema,
  // What has nothing to do with schemas, or belongs to somebody else.
  'src/api/a/documentation/1.0.0/a.json': { openapi: '3.0.0', paths: {} },
  'src/api/a/data/broken.json': '{',
  'src/api/a/data/entry.json': { id: 1, attributes: { title: 'One' } },
  'src/api/a/data/schema.json': { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' },
  'src/api/a/data/large.json': { ...schema, rest: 'x'.repeat(300_000) },
  'src/node_modules/one/schema.json': schema,
  'src/api/a/data/list.json': [1],
  'src/api/a/data/nothing.json': 'null',
  'src/index.ts': '',
  'src/admin/schema.json': schema,
  'src/plugins/mine/content-types/c/schema.json': schema,
  'src/shop/content-types/d/schema.json': schema,
};

const ofTypes = 'a schema file of its kind is read from src/api/<name>/content-types/<name>/schema.json.';
const ofComponents = 'a schema file of its kind is read from src/components/<category>/<name>.json.';

function misplaced(files: Record<string, string | object>): string[] {
  const { appDir, remove } = appFolder(files);
  try {
    return misplacedSchemas(appDir, [`${appDir}/src/shop`]);
  } finally {
    remove();
  }
}

test('schema files in their places, and other files, need no mention', () => {
  expect(misplaced({})).toEqual([]);
  expect(misplaced(right)).toEqual([]);
});

test.each([
  ['src/api/x/schema.json', ofTypes],
  ['src/api/x/content-types/x.json', ofTypes],
  ['src/api/x/content-types/x/shema.json', ofTypes],
  ['src/api/x/content-type/x/schema.json', ofTypes],
  ['src/api/content-types/x/schema.json', ofTypes],
  ['src/schema.json', ofTypes],
  ['src/content-types/x/schema.json', ofTypes],
  ['config/api/x/schema.json', ofTypes],
  ['src/components/seo.json', ofComponents],
  ['src/components/shared/deep/seo.json', ofComponents],
  ['src/component/shared/seo.json', ofComponents],
])('%s is named', (file, remedy) => {
  expect(misplaced({ ...right, [file]: schema })).toEqual([`${file} is without effect: ${remedy}`]);
});

test('a schema file that is no JSON is named by its name', () => {
  expect(misplaced({ 'src/api/x/schema.json': '{' })).toEqual([`src/api/x/schema.json is without effect: ${ofTypes}`]);
});

test('an application tells them when it starts', async () => {
  const app = await testApplication({ files: { 'src/components/seo.json': schema } });
  expect(app.notices).toContain(`src/components/seo.json is without effect: ${ofComponents}`);
  await app.remove();
});
