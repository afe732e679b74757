import { CONTENT, createApplication, DOCUMENTS, type Documents, type Operation } from '../../core';
import { type AppFolder, appFolder } from '../../core/testing/app-folder';
import sql from '../sql';
import { connectionTo } from '../sql/store/database-app.fixture';
import draftPublish from '.';

// Which versions a list is of belongs to it: a cursor of one is none of another.

const files = {
  'src/api/post/content-types/post/schema.json': {
    info: { singularName: 'post', pluralName: 'posts' },
    options: { draftAndPublish: true },
    attributes: { title: { type: 'string' } },
  },
};

let folder: AppFolder;
let close: () => Promise<void>;
let documents: Documents;
let read: (cursor: string, aspects?: Readonly<Record<string, string>>) => Promise<string | undefined>;

beforeAll(async () => {
  folder = appFolder(files);
  const app = await createApplication({
    ...folder,
    shipped: {
      plugins: Object.fromEntries([sql, draftPublish].map((each) => [each.name, { default: true, load: () => each }])),
      inert: {},
    },
    env: { NODE_ENV: 'test' },
    overrides: {
      database: { connection: { client: 'sqlite', connection: connectionTo.sqlite(`${folder.dataDir}/data.db`) } },
    },
  } as never);
  await app.start();
  close = () => app.close();
  documents = app.kernel.services.get(DOCUMENTS);
  const type = app.kernel.services.get(CONTENT).get('api::post.post');
  read = async (cursor, aspects) => {
    const window = () => ({ start: 0, limit: 1, total: false, cursor });
    const query = { sort: 'id', choices: { publishedAt: 'draft' }, ...(aspects && { aspects }), window };
    const operation: Operation = { action: 'find', type, rights: 'system', query };
    return (await documents.read(operation)).next;
  };
  for (const title of ['a', 'b', 'c']) await documents.of('api::post.post').create({ title });
});
afterAll(async () => {
  await close();
  folder.remove();
});

test('a cursor of a list of some versions is refused by that of others', async () => {
  const some = { hasPublishedVersion: 'true' };
  const next = await read('', some);
  expect(await read(next!, some)).toBeDefined();
  const lists: readonly (Record<string, string> | undefined)[] = [
    undefined,
    { hasPublishedVersion: 'false' },
    { publicationFilter: 'modified' },
  ];
  for (const others of lists) await expect(read(next!, others)).rejects.toMatchObject({ name: 'PaginationError' });
});
