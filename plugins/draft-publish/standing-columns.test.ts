import { projectFiles } from './linked-project.fixture';
import { versionsApp } from './versions-app.fixture';

// Links that a column of the row keeps, in place of a table, are handed over to a new published version, too.
// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

const link = (relation: string, target: string, more: object): object => ({
  type: 'relation',
  relation,
  target: `api::${target}.${target}`,
  ...more,
});
const schema = (name: string, draftAndPublish: boolean, attributes: object): object => ({
  kind: 'collectionType',
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options: { draftAndPublish },
  attributes: { title: { type: 'string' }, ...attributes },
});

const app = versionsApp({
  ...projectFiles(),
  'src/api/page/content-types/page/schema.json': schema('page', true, {
    seal: link('oneToOne', 'seal', { inversedBy: 'page', useJoinTable: false }),
  }),
  'src/api/seal/content-types/seal/schema.json': schema('seal', false, {
    page: link('oneToOne', 'page', { mappedBy: 'seal' }),
  }),
});
const of = (name: string) => app().documents.of(`api::${name}.${name}`);

test.each(['draft', 'published'])(
  'once published again, the %s version still links what can be linked once',
  async (status) => {
    const seal = String((await of('seal').create({ title: 'seal' }))['documentId']);
    const page = String((await of('page').create({ title: 'page', seal }))['documentId']);
    for (let time = 0; time < 2; time++) await of('page').update(page, { title: `page ${time}` });
    const shown = await of('page').findOne(page, { populate: { seal: true }, parameters: { status } });
    expect(shown!['seal']).toMatchObject({ documentId: seal });
  },
);
