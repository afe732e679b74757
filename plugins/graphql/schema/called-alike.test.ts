import type { GraphQLObjectType, GraphQLSchema } from 'graphql';
import { CONTENT, createApplication, type ProjectError } from '../../../core';
import { appFolder } from '../../../core/testing/app-folder';
import { shipped } from '../../shipped';
import { GRAPHQL_SCHEMA } from '..';
import { fixtureApp } from '../fixture-app.fixture';
import type { Contribution } from '../hooks';
import { calledAlike } from './called-alike';

type Attributes = Readonly<Record<string, object>>;

const schemaFile = (name: string, attributes: Attributes = { title: { type: 'string' } }) => ({
  [`src/api/${name}/content-types/${name}/schema.json`]: {
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    attributes,
  },
});

/** What is told of an application that is put together, and of its schema once it is made. */
async function told(
  files: Readonly<Record<string, object>>,
  plugins: object = {},
  look: (schema: GraphQLSchema) => void = () => undefined,
): Promise<string[]> {
  const { appDir, dataDir, remove } = appFolder(files);
  try {
    const app = await createApplication({
      appDir,
      dataDir,
      shipped,
      env: { NODE_ENV: 'test' },
      overrides: { plugins } as never,
    });
    const told = [...app.notices];
    if (app.kernel.services.has(GRAPHQL_SCHEMA)) look(app.kernel.services.get(GRAPHQL_SCHEMA)());
    await app.close();
    return told;
  } catch (error) {
    return (error as ProjectError).problems.map(({ where, at, what, remedy }) => `${where} ${at}: ${what} ${remedy}`);
  } finally {
    remove();
  }
}

test.each([
  ['string', 'type "String", which every schema has.'],
  ['int', 'type "Int", which every schema has.'],
  ['date-time', 'type "DateTime", which every schema has.'],
  ['me', 'field Query.me, which plugin "users-permissions" adds.'],
  ['upload-file', 'type "UploadFile", which is made for plugin::upload.file in plugin "upload".'],
  ['i-18-n-locale', 'type "I18NLocale", which'],
  ['3d-model', 'type "3DModel", which is no name there'],
])('a type called %s is refused at the start', async (name, what) => {
  const [first, ...more] = await told(schemaFile(name));
  expect(first).toContain(
    `src/api/${name}/content-types/${name}/schema.json (api::${name}.${name}) /info/singularName: makes a GraphQL ${what}`,
  );
  expect(first).toContain('Give it another singularName and pluralName so that nothing for it is called "');
  expect(more).toEqual([]);
  expect(await told(schemaFile(name), { graphql: false })).toEqual([]);
});

test('of two types, the second is told', async () => {
  expect(await told({ ...schemaFile('note'), ...schemaFile('note-input') })).toEqual([
    expect.stringContaining('makes a GraphQL type "NoteInput", which is made for api::note.note in src/api/note/'),
  ]);
});

test('types of one name that are as good as one are named', async () => {
  for (const [name, type] of [
    ['pagination', 'Pagination'],
    ['query', 'Query'],
    ['mutation', 'Mutation'],
  ] as const)
    expect(await told(schemaFile(name))).toEqual([
      `src/api/${name}/content-types/${name}/schema.json (api::${name}.${name}) makes a GraphQL type "${type}", which every schema has. The two are one there.`,
    ]);
  const total = { total: { type: 'string' } };
  expect(await told(schemaFile('pagination', total))).toEqual([
    expect.stringContaining('(api::pagination.pagination) /info/singularName: makes a GraphQL type "Pagination"'),
  ]);
});

test('an enumeration with a word that can be no name is a text, and says so at the start', async () => {
  const attributes = { size: { type: 'enumeration', enum: ['small', '1a', 'true'] } };
  let schema: GraphQLSchema | undefined;
  const notices = await told(schemaFile('shoe', attributes), {}, (made) => {
    schema = made;
  });
  for (const name of ['Shoe', 'ShoeInput'])
    expect(String((schema!.getType(name) as GraphQLObjectType).getFields()['size']!.type)).toBe('String');
  expect(notices).toEqual([
    'src/api/shoe/content-types/shoe/schema.json /attributes/size/enum is a String over GraphQL, and no enumeration: "1a", "true" can be no name there; names begin with a letter',
  ]);
});

test('nothing is called alike in what comes with Heddle, so that its schema can wait', async () => {
  const { app, remove } = await fixtureApp();
  const contributed: Contribution[] = [];
  app.kernel.hooks.graphql.contribute.call({ add: (contribution) => contributed.push(contribution) });
  expect(calledAlike(app.kernel.services.get(CONTENT), contributed)).toEqual([]);
  await remove();
});
