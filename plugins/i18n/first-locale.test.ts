import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFiles } from '../draft-publish/linked-project.fixture';
import {
  makeVersionsPlace,
  openVersionsApp,
  type VersionsApp,
  type VersionsPlace,
} from '../draft-publish/versions-app.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

jest.setTimeout(120_000);

const path = 'src/api/topic/content-types/topic/schema.json';
const topic = projectFiles()[path] as { pluginOptions: object; options: object };

let place: VersionsPlace;
let app: VersionsApp | undefined;

afterEach(async () => {
  await app?.close();
  app = undefined;
  await place.remove();
});

async function reopened(schema: object): Promise<void> {
  await app?.close();
  app = undefined;
  writeFileSync(join(place.folder.appDir, path), JSON.stringify(schema));
  app = await openVersionsApp(place);
}

const topics = () => app!.documents.of('api::topic.topic');
const withStatus = (status: string) => ({ parameters: { status } });

test.each([true, false])(
  'what was written before there were locales is in the default one; that it had drafts then: %j',
  async (draftAndPublish) => {
    const plain = { ...topic, pluginOptions: {}, options: { draftAndPublish } };
    place = await makeVersionsPlace({ ...projectFiles(), [path]: plain });
    app = await openVersionsApp(place);
    const { documentId } = await topics().create({ title: 'plain' });
    await reopened(topic);
    for (const status of ['draft', 'published'])
      expect(await topics().find(withStatus(status))).toMatchObject([{ title: 'plain', locale: 'en' }]);
    await topics().update(String(documentId), { title: 'in French' }, { parameters: { locale: 'fr' } });
    await topics().update(String(documentId), { title: 'in English' });
    expect(await topics().find({ parameters: { locale: '*' }, sort: 'title' })).toMatchObject([
      { title: 'in English', locale: 'en' },
      { title: 'in French', locale: 'fr' },
    ]);
  },
);
