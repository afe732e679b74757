import type { DocumentQuery } from '../../core';
import { versionsApp } from './versions-app.fixture';

const app = versionsApp({
  'src/api/post/content-types/post/schema.json': {
    collectionName: 'posts',
    info: { singularName: 'post', pluralName: 'posts', displayName: 'post' },
    options: { draftAndPublish: true },
    attributes: { name: { type: 'string' } },
  },
});

test("the filter stands beside what other plugins add to a plan's name", async () => {
  const { app: application, documents } = app();
  const posts = documents.of('api::post.post');
  for (const status of ['draft', 'published']) await posts.create({ name: status }, { parameters: { status } });
  const seen: DocumentQuery['aspects'][] = [];
  application.kernel.hooks.document.plan.tap('draft-publish:test', (plan, { query }) => {
    seen.push(query.aspects);
    return plan;
  });
  const parameters = { status: 'draft', publicationFilter: 'never-published' };
  for (const other of ['1', '2'])
    expect((await posts.find({ parameters, aspects: { other } })).map(({ name }) => name)).toEqual(['draft']);
  expect(await posts.find({ parameters: { status: 'draft' }, aspects: { other: '1' } })).toHaveLength(2);
  const publicationFilter = 'never-published';
  expect(seen).toEqual([{ other: '1', publicationFilter }, { other: '2', publicationFilter }, { other: '1' }]);
});
