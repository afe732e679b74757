import type { Operation } from '../../core';
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
    notes: link('oneToMany', 'remark', { mappedBy: 'page' }),
    stamp: link('oneToOne', 'remark', { mappedBy: 'only' }),
  }),
  'src/api/remark/content-types/remark/schema.json': schema('remark', false, {
    page: link('manyToOne', 'page', { inversedBy: 'notes', useJoinTable: false }),
    only: link('oneToOne', 'page', { inversedBy: 'stamp', useJoinTable: false }),
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

test.each(['from either side', 'from its own side'])(
  'a column of what has no versions leads to the new one, linked %s',
  async (how) => {
    const page = String((await of('page').create({ title: 'page' }))['documentId']);
    const isOwn = how === 'from its own side';
    const links = isOwn ? { page, only: page } : {};
    const remark = String((await of('remark').create({ title: 'remark', ...links }))['documentId']);
    if (!isOwn) await of('page').update(page, { notes: [remark], stamp: remark });
    for (let time = 0; time < 3; time++) {
      const shown = await of('remark').findOne(remark, { populate: { page: true, only: true } });
      expect(shown).toMatchObject({ page: { documentId: page }, only: { documentId: page } });
      const published = await of('page').findOne(page, { populate: { notes: true, stamp: true } });
      expect(published).toMatchObject({ notes: [{ documentId: remark }], stamp: { documentId: remark } });
      await of('page').update(page, { title: `page ${time}` });
    }
  },
);

test.each(['draft', 'published'])(
  'a column that leads to the %s version goes on to when the draft is discarded',
  async (status) => {
    const page = String((await of('page').create({ title: 'page' }))['documentId']);
    const linked = { connect: [{ documentId: page, status }] };
    const remark = String((await of('remark').create({ title: 'remark', page: linked, only: linked }))['documentId']);
    const type = app().registry.get('api::page.page');
    const discarding: Operation = { action: 'discardDraft', type, documentId: page, query: {}, rights: 'system' };
    await app().actions.get('discardDraft')!.run(discarding);
    const parameters = { status };
    const shown = await of('remark').findOne(remark, { populate: { page: true, only: true }, parameters });
    expect(shown).toMatchObject({ page: { documentId: page }, only: { documentId: page } });
    const version = await of('page').findOne(page, { populate: { notes: true, stamp: true }, parameters });
    expect(version).toMatchObject({ notes: [{ documentId: remark }], stamp: { documentId: remark } });
  },
);
