import type { Operation } from '../../core';
import { versionsApp } from './versions-app.fixture';

// Links to documents of any type, which columns keep, where what they lead to is unpublished for a while.
// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

const schema = (name: string, attributes: object): object => ({
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options: { draftAndPublish: true },
  attributes: { title: { type: 'string' }, ...attributes },
});
const app = versionsApp({
  'src/api/story/content-types/story/schema.json': {
    ...schema('story', {}),
    info: { singularName: 'story', pluralName: 'stories', displayName: 'story' },
  },
  'src/api/remark/content-types/remark/schema.json': schema('remark', {
    about: { type: 'relation', relation: 'morphToOne' },
  }),
} as never);

const storyUid = 'api::story.story';
const stories = () => app().documents.of(storyUid);
const remarks = () => app().documents.of('api::remark.remark');
const idOf = (document: Readonly<Record<string, unknown>>): string => String(document['documentId']);

async function change(action: string, documentId: string): Promise<void> {
  const type = app().registry.get(storyUid);
  const operation: Operation = { action, type, documentId, query: {}, rights: 'system' };
  await app().actions.get(action)!.run(operation);
}

test('one that is published again is linked again, and another that took its place meanwhile is left there', async () => {
  const [one, other] = [
    idOf(await stories().create({ title: 'one' })),
    idOf(await stories().create({ title: 'other' })),
  ];
  const about = { about: { __type: storyUid, documentId: one } };
  const remark = idOf(await remarks().create({ title: 'remark', ...about }));
  const shown = async (status: string): Promise<unknown> => {
    const found = await remarks().findOne(remark, { populate: { about: true }, parameters: { status } });
    return (found!['about'] as { title: string } | null)?.title;
  };
  expect([await shown('draft'), await shown('published')]).toEqual(['one', 'one']);
  await change('unpublish', one);
  expect([await shown('draft'), await shown('published')]).toEqual(['one', undefined]);
  await change('publish', one);
  expect([await shown('draft'), await shown('published')]).toEqual(['one', 'one']);
  await change('unpublish', one);
  await remarks().update(remark, { about: { __type: storyUid, documentId: other } });
  await remarks().update(remark, about, { parameters: { status: 'draft' } });
  await change('publish', one);
  expect([await shown('draft'), await shown('published')]).toEqual(['one', 'other']);
});
