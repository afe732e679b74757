import { projectFiles } from './linked-project.fixture';
import { versionsApp } from './versions-app.fixture';

// A morph link and its other side share the column of their places: a publication puts both in order.
// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

const schema = (name: string, attributes: object): object => ({
  kind: 'collectionType',
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options: { draftAndPublish: true },
  attributes: { title: { type: 'string' }, ...attributes },
});

const app = versionsApp({
  ...projectFiles(),
  'src/api/page/content-types/page/schema.json': schema('page', {
    marks: { type: 'relation', relation: 'morphMany', target: 'api::mark.mark', morphBy: 'on' },
  }),
  'src/api/mark/content-types/mark/schema.json': schema('mark', {
    on: { type: 'relation', relation: 'morphToMany' },
  }),
});
const of = (name: string) => app().documents.of(`api::${name}.${name}`);
const make = async (name: string, title: string): Promise<string> =>
  String((await of(name).create({ title }))['documentId']);

test('marks of a page that was published keep their order as one of them is published again', async () => {
  const page = await make('page', 'page');
  const marks = [await make('mark', 'a'), await make('mark', 'b')];
  await of('page').update(page, { marks });
  for (const mark of marks) await of('mark').update(mark, { on: [{ __type: 'api::page.page', documentId: page }] });
  await of('page').update(page, {});
  await of('mark').update(marks[0]!, {});
  const shown = (await of('page').findOne(page, { populate: { marks: true } }))!;
  expect((shown['marks'] as { readonly title: string }[]).map(({ title }) => title)).toEqual(['a', 'b']);
});
