import type { Operation, TypeDocuments, Written } from '../../core';
import { versionsApp } from './versions-app.fixture';

// Documents with versions that are written along with others.
// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

const app = versionsApp();
const uid = 'api::paper.paper';
const papers = () => app().documents.of(uid);
const idOf = (document: Readonly<Record<string, unknown>>): string => String(document['documentId']);
const draft = { parameters: { status: 'draft' } };
const published = { parameters: { status: 'published' } };

/** What is done along with each write that begins outside, once. */
let tap: ((written: Written, along: TypeDocuments) => Promise<unknown>) | undefined;
const committed: string[] = [];

beforeAll(() => {
  const { document } = app().app.kernel.hooks;
  document.written.tapPromise('draft-publish:test', async (written, transaction) => {
    const once = tap;
    tap = undefined;
    await once?.(written, app().documents.of(uid, transaction));
  });
  document.committed.tapPromise('draft-publish:test', async ({ operation: { action }, documentId }) => {
    committed.push(`${action} ${documentId}`);
  });
});
beforeEach(() => {
  committed.length = 0;
});

/** A version of a document with the titles of what it links, and of what links it from its other side. */
async function version(documentId: string, query: object): Promise<unknown> {
  const found = await papers().findOne(documentId, { populate: { cites: true, citedBy: true }, ...query });
  const titles = (list: unknown): unknown => (list as { title: string }[]).map(({ title }) => title);
  return found && { title: found['title'], cites: titles(found['cites']), citedBy: titles(found['citedBy']) };
}

test('a new document and one that links it come to link each other in both versions', async () => {
  let guest = '';
  tap = async ({ documentId }, along) => {
    guest = idOf(await along.create({ title: 'guest', cites: [documentId] }));
  };
  const host = idOf(await papers().create({ title: 'host' }));
  for (const query of [published, draft]) {
    expect(await version(guest, query)).toEqual({ title: 'guest', cites: ['host'], citedBy: [] });
    expect(await version(host, query)).toEqual({ title: 'host', cites: [], citedBy: ['guest'] });
  }
  expect(committed).toEqual([`create ${guest}`, `create ${host}`]);
});

test('what was just written is changed along with it, and published anew', async () => {
  tap = async ({ documentId }, along) => along.update(documentId, { title: 'changed' });
  const paper = idOf(await papers().create({ title: 'new' }));
  const both = async (): Promise<unknown[]> => [await version(paper, published), await version(paper, draft)];
  expect(await both()).toEqual([0, 1].map(() => ({ title: 'changed', cites: [], citedBy: [] })));
  tap = async ({ documentId }, along) => along.update(documentId, { title: 'draft' }, draft);
  await papers().update(paper, { title: 'published' });
  expect(await both()).toMatchObject([{ title: 'published' }, { title: 'draft' }]);
  tap = async ({ documentId }, along) => along.update(documentId, { title: 'again' });
  await papers().create({ title: 'citing', cites: [paper] });
  tap = async ({ documentId }, along) => along.update(documentId, { title: 'again', cites: [documentId] });
  await papers().update(paper, { title: 'before' });
  expect(await both()).toMatchObject([0, 1].map(() => ({ title: 'again', cites: ['again'] })));
});

test('a publication has others written along with it, and is undone with them', async () => {
  const paper = idOf(await papers().create({ title: 'sketch' }, draft));
  const publish = (): Promise<unknown> => {
    const type = app().registry.get(uid);
    const operation: Operation = { action: 'publish', type, documentId: paper, query: {}, rights: 'system' };
    return app().actions.get('publish')!.run(operation);
  };
  committed.length = 0;
  tap = async (_, along) => along.create({ title: 5 }).catch(() => undefined);
  await expect(publish()).rejects.toThrow('title must be a `string` type');
  expect([await version(paper, published), committed]).toEqual([undefined, []]);
  let other = '';
  tap = async (_, along) => {
    other = idOf(await along.create({ title: 'other', cites: [paper] }));
  };
  await publish();
  expect(await version(other, published)).toEqual({ title: 'other', cites: ['sketch'], citedBy: [] });
  expect(committed).toEqual([`create ${other}`, `publish ${paper}`]);
});
