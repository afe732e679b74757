import type { Operation } from '../../core';
import { versionsApp } from './versions-app.fixture';

// Documents that link themselves, where both sides list that: one version's own lists say where it stands in the other's.
// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

const app = versionsApp();
const papers = () => app().documents.of('api::paper.paper');
const draft = { parameters: { status: 'draft' } };

function change(action: 'publish' | 'discardDraft', documentId: string): Promise<unknown> {
  const type = app().registry.get('api::paper.paper');
  const operation: Operation = { action, type, documentId, query: {}, rights: 'system' };
  return app().actions.get(action)!.run(operation);
}

async function made(title: string, query = {}): Promise<string> {
  return String((await papers().create({ title }, query))['documentId']);
}

async function cited(by: string, status: 'draft' | 'published'): Promise<string[]> {
  const found = await papers().findOne(by, { parameters: { status }, populate: { cites: true } });
  return (found!['cites'] as { title: string }[]).map(({ title }) => title);
}

test('a draft that links itself elsewhere in its list has the order of what is published again', async () => {
  const [own, other] = [await made('own'), await made('other')];
  await papers().update(own, { cites: { set: [own, other] } });
  await papers().update(own, { cites: { disconnect: [own] }, citedBy: { set: [own] } }, draft);
  expect(await cited(own, 'draft')).toEqual(['other', 'own']);
  await change('discardDraft', own);
  expect(await cited(own, 'draft')).toEqual(['own', 'other']);
});

test('it stays behind what only the draft links', async () => {
  const [own, unseen] = [await made('own'), await made('unseen', draft)];
  await papers().update(own, { cites: { set: [unseen, own] } });
  await papers().update(own, { cites: { disconnect: [own] } }, draft);
  await change('discardDraft', own);
  expect(await cited(own, 'draft')).toEqual(['unseen', 'own']);
  expect(await cited(own, 'published')).toEqual(['own']);
});

test('its published version links itself where its draft does, whatever of the list is not published', async () => {
  const [own, other] = [await made('own'), await made('other')];
  const unseen = [await made('first', draft), await made('second', draft)];
  await papers().update(own, { cites: { set: [...unseen, own, other] } });
  expect(await cited(own, 'published')).toEqual(['own', 'other']);
  await change('publish', own);
  expect(await cited(own, 'published')).toEqual(['own', 'other']);
});
