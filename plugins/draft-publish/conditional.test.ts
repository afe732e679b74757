import { versionsApp } from './versions-app.fixture';

const when = (name: string, value: unknown) => ({ conditions: { visible: { '==': [{ var: name }, value] } } });
const app = versionsApp({
  'src/api/post/content-types/post/schema.json': {
    collectionName: 'posts',
    info: { singularName: 'post', pluralName: 'posts', displayName: 'post' },
    options: { draftAndPublish: true },
    attributes: {
      open: { type: 'boolean', default: false },
      kind: { type: 'enumeration', enum: ['news', 'event'] },
      text: { type: 'string', required: true, minLength: 3, ...when('open', true) },
      place: { type: 'component', component: 'part.place', required: true, ...when('kind', 'event') },
      zone: { type: 'dynamiczone', components: ['part.place'], required: true, ...when('kind', 'event') },
    },
  },
  'src/components/part/place.json': {
    info: { displayName: 'place' },
    attributes: { abroad: { type: 'boolean' }, country: { type: 'string', required: true, ...when('abroad', true) } },
  },
});

const drafts = { parameters: { status: 'draft' } };
const here = { __component: 'part.place', abroad: false };
const posts = () => app().documents.of('api::post.post');

test('what a stored draft hides is not demanded when it is published, what it shows is', async () => {
  const { documentId } = await posts().create({ kind: 'news' }, drafts);
  const publish = (data: object = {}) => posts().update(String(documentId), data as Record<string, unknown>);
  await publish();
  await posts().update(String(documentId), { open: true, text: 'a' }, drafts);
  await expect(publish()).rejects.toThrow('text must be at least 3 characters');
  await posts().update(String(documentId), { text: 'abc' }, drafts);
  await publish();
  await publish({ open: false, text: 'a' });
  expect(await posts().findOne(String(documentId))).toMatchObject({ open: false, text: 'a' });
});

test('components that a document hides are neither demanded nor cleared', async () => {
  const { documentId } = await posts().create({ kind: 'news' });
  const publish = (data: object) => posts().update(String(documentId), data as Record<string, unknown>);
  await expect(publish({ kind: 'event' })).rejects.toThrow('place must be a `object` type');
  await publish({ kind: 'event', place: { abroad: false }, zone: [here] });
  await expect(publish({ place: { abroad: true } })).rejects.toThrow('place.country must be a `string` type');
  await publish({ kind: 'news' });
  const shown = await posts().findOne(String(documentId), { populate: '*' });
  expect(shown).toMatchObject({ kind: 'news', place: { abroad: false, country: null }, zone: [{ abroad: false }] });
});
