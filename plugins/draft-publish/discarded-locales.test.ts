import type { Operation } from '../../core';
import { versionsApp } from './versions-app.fixture';

// Drafts of several locales that are linked with the same.
// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

const info = (name: string) => ({ singularName: name, pluralName: `${name}s`, displayName: name });
const localized = { i18n: { localized: true } };
const toTopic = (relation: string, inversedBy: string) => ({
  type: 'relation',
  relation,
  target: 'api::topic.topic',
  [relation === 'oneToMany' ? 'mappedBy' : 'inversedBy']: inversedBy,
});
const toNote = (relation: string, side: object) => ({ type: 'relation', relation, target: 'api::note.note', ...side });
const schemas = {
  note: {
    info: info('note'),
    options: { draftAndPublish: true },
    pluginOptions: localized,
    attributes: {
      title: { type: 'string', pluginOptions: localized },
      lead: toTopic('oneToOne', 'led'),
      parts: toTopic('oneToMany', 'whole'),
    },
  },
  topic: {
    info: info('topic'),
    options: { draftAndPublish: true },
    attributes: {
      name: { type: 'string' },
      led: toNote('oneToOne', { mappedBy: 'lead' }),
      whole: toNote('manyToOne', { inversedBy: 'parts' }),
    },
  },
};

const app = versionsApp(
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [`src/api/${name}/content-types/${name}/schema.json`, schema]),
  ) as never,
);

const idOf = (document: Readonly<Record<string, unknown>>): string => String(document['documentId']);

test('what one of them discards stays linked with the others', async () => {
  const [notes, topics] = ['api::note.note', 'api::topic.topic'].map((uid) => app().documents.of(uid));
  const note = idOf(await notes!.create({ title: 'en' }));
  await notes!.update(note, { title: 'fr' }, { parameters: { locale: 'fr' } });
  const topic = idOf(await topics!.create({ name: 'both' }, { parameters: { status: 'draft' } }));
  const draftIn = (locale: string) => ({ parameters: { locale, status: 'draft' } });
  for (const locale of ['en', 'fr']) await notes!.update(note, { lead: topic, parts: [topic] }, draftIn(locale));
  const type = app().registry.get('api::note.note');
  const query = { parameters: { locale: 'en' } };
  const discard: Operation = { action: 'discardDraft', type, documentId: note, query, rights: 'system' };
  await app().actions.get('discardDraft')!.run(discard);
  for (const locale of ['en', 'fr'])
    expect(await notes!.findOne(note, { ...draftIn(locale), populate: { lead: true, parts: true } })).toMatchObject({
      lead: { name: 'both' },
      parts: [{ name: 'both' }],
    });
});
