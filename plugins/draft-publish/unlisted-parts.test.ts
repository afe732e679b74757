import { type LinkedApp, openLinkedApp } from '../sql/store/linked-app.fixture';
import { schema } from '../sql/store/schemas.fixture';
import draftPublish from '.';

// A zone from whose list a component was taken, and an attribute that holds another one now.
// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

const component = (name: string, required = false) => ({
  [`src/components/part/${name}.json`]: {
    collectionName: `components_part_${name}s`,
    info: { displayName: name },
    attributes: { text: { type: 'string' }, must: { type: 'string', required } },
  },
});

const filesWith = (zone: readonly string[], part: string) => ({
  ...component('box'),
  ...component('shelf', true),
  ...schema(
    'page',
    {
      part: { type: 'component', component: part },
      zone: { type: 'dynamiczone', components: zone },
    },
    true,
  ),
});

const draft = { parameters: { status: 'draft' } };
const all = { populate: { zone: true, part: true } };

let app: LinkedApp;
afterEach(() => app.remove());

const pages = () => app.documents.of('api::page.page');
const textsOf = (shown: unknown): unknown => (shown as { text: string }[]).map(({ text }) => text);

async function shown(documentId: string, of: object = {}): Promise<unknown> {
  const page = (await pages().findOne(documentId, { ...all, ...of }))!;
  return { zone: textsOf(page['zone']), part: (page['part'] as { text: string } | null)?.text ?? null };
}

test.each([
  ['a draft', false],
  ['what was published before', true],
])('what may stand there no more stays in a draft, and is not published with it: %s', async (_, isPublished) => {
  app = await openLinkedApp(filesWith(['part.box', 'part.shelf'], 'part.shelf'), [draftPublish]);
  const box = (text: string) => ({ __component: 'part.box', text });
  const shelf = (text: string) => ({ text, must: 'be' });
  const data = {
    title: 'one',
    zone: [{ __component: 'part.shelf', ...shelf('gone') }, box('a'), box('b')],
    part: shelf('other'),
  };
  const { documentId } = await pages().create(data, isPublished ? {} : draft);
  app = await app.restart(filesWith(['part.box'], 'part.box'));
  const id = String(documentId);
  await pages().update(id, { title: 'two' });
  expect(await shown(id)).toEqual({ zone: ['a', 'b'], part: null });
  expect(await shown(id, draft)).toMatchObject({ zone: ['gone', 'a', 'b'] });
  const named = { zone: [{ __component: 'part.shelf', ...shelf('new') }] };
  const unlisted = expect.objectContaining({ path: ['zone', '0', '__component'] });
  await expect(pages().update(id, named)).rejects.toMatchObject({
    details: { errors: expect.arrayContaining([unlisted]) },
  });
});
