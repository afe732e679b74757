import { versionsApp } from './versions-app.fixture';

const page = { type: 'component', component: 'part.page', repeatable: true } as const;
const app = versionsApp({
  'src/api/post/content-types/post/schema.json': {
    collectionName: 'posts',
    info: { singularName: 'post', pluralName: 'posts', displayName: 'post' },
    options: { draftAndPublish: true },
    attributes: {
      name: { type: 'string' },
      pages: { ...page, required: true, max: 1 },
      zone: { type: 'dynamiczone', components: ['part.page'], required: true, max: 1 },
      cover: { type: 'component', component: 'part.page', required: true },
    },
  },
  'src/components/part/page.json': { info: { displayName: 'page' }, attributes: { text: { type: 'string' } } },
});

const drafts = { parameters: { status: 'draft' } };
const one = { text: 'a' };
const oneOf = { __component: 'part.page', text: 'a' };

test('a required list has to be given for a draft, too, though it may be empty; a component need not be there yet', async () => {
  const posts = app().documents.of('api::post.post');
  await expect(posts.create({ name: 'a' }, drafts)).rejects.toMatchObject({
    details: { errors: [{ message: 'pages must be defined.' }, { message: 'zone must be defined.' }] },
  });
  const { documentId } = await posts.create({ name: 'a', pages: [], zone: [] }, drafts);
  await posts.update(String(documentId), { name: 'b' }, drafts);
  await expect(posts.create({ name: 'a', pages: [one], cover: one })).rejects.toThrow('zone must be defined.');
});

test('a draft may hold more than may be published', async () => {
  const posts = app().documents.of('api::post.post');
  const { documentId } = await posts.create({ pages: [one, one], zone: [oneOf, oneOf], cover: one }, drafts);
  const publish = (data: object) => posts.update(String(documentId), data as Record<string, unknown>);
  await expect(publish({ pages: [one] })).rejects.toThrow('zone field must have less than or equal to 1 items');
  await publish({ pages: [one], zone: [oneOf] });
});
