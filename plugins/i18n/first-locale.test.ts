import { changingApp, idOf, pathOf } from '../draft-publish/changing-app.fixture';
import { projectFiles } from '../draft-publish/linked-project.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

jest.setTimeout(120_000);

const { opened, docs } = changingApp();

test.each([true, false])(
  'what was written before there were locales is in the default one; that it had drafts then: %j',
  async (draftAndPublish) => {
    const files = projectFiles();
    const plain = { ...files[pathOf('topic')], pluginOptions: {}, options: { draftAndPublish } };
    await opened({ ...files, [pathOf('topic')]: plain });
    const id = idOf(await docs('topic').create({ title: 'plain' }));
    await opened(files);
    for (const status of ['draft', 'published'])
      expect(await docs('topic').find({ parameters: { status } })).toMatchObject([{ title: 'plain', locale: 'en' }]);
    await docs('topic').update(id, { title: 'in French' }, { parameters: { locale: 'fr' } });
    await docs('topic').update(id, { title: 'in English' });
    expect(await docs('topic').find({ parameters: { locale: '*' }, sort: 'title' })).toMatchObject([
      { title: 'in English', locale: 'en' },
      { title: 'in French', locale: 'fr' },
    ]);
  },
);
