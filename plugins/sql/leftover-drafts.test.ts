import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFiles } from '../draft-publish/linked-project.fixture';
import {
  makeVersionsPlace,
  openVersionsApp,
  type VersionsApp,
  type VersionsPlace,
} from '../draft-publish/versions-app.fixture';
import type { Layout } from './layout/layout';
import { findLeftoverDrafts, noticesOf, refusalsOf } from './leftover-drafts';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

jest.setTimeout(120_000);

const path = 'src/api/topic/content-types/topic/schema.json';
const schema = projectFiles()[path] as { options: object };
const draft = { parameters: { status: 'draft' } };

let place: VersionsPlace;
let app: VersionsApp | undefined;

beforeEach(async () => {
  place = await makeVersionsPlace();
  app = await openVersionsApp(place);
});
afterEach(async () => {
  await app?.close();
  await place.remove();
});

const topics = () => app!.documents.of('api::topic.topic');

async function reopened(draftAndPublish: boolean): Promise<VersionsApp> {
  await app!.close();
  app = undefined;
  writeFileSync(join(place.folder.appDir, path), JSON.stringify({ ...schema, options: { draftAndPublish } }));
  app = await openVersionsApp(place);
  return app;
}

test('a type that has no drafts any more does not show those that its table holds', async () => {
  await topics().create({ title: 'published' });
  await topics().create({ title: 'never published' }, draft);
  await expect(reopened(false)).rejects.toThrow(
    /has no drafts any more, but its table topics holds some: .* Set options\.draftAndPublish to true, or delete the rows of the table topics whose published_at is null: with them go documents that were never published/,
  );
  writeFileSync(join(place.folder.appDir, path), JSON.stringify(schema));
  app = await openVersionsApp(place);
  expect(await topics().find(draft)).toHaveLength(2);
});

test('what has no moment of publication, and may have been written by others, is told', async () => {
  await topics().create({ title: 'never published' }, draft);
  const { database, registry } = await reopened(false);
  const layout = { tables: [], types: { 'api::topic.topic': { table: 'topics' } } } as unknown as Layout;
  const topic = registry.get('api::topic.topic');
  const leftover = await findLeftoverDrafts(database, { ...registry, documents: [topic] }, layout);
  expect(leftover).toEqual([{ type: topic, table: 'topics', isDoubled: false }]);
  expect(refusalsOf(leftover)).toEqual([]);
  expect(noticesOf(leftover)).toEqual([
    expect.stringMatching(/^api::topic\.topic has no drafts, but its table topics holds rows without published_at/),
  ]);
});

/** As if these types had no drafts any more: what is found of them, and by how many statements. */
async function foundOf(...names: string[]): Promise<{ leftover: readonly object[]; statements: number }> {
  const { database, registry } = app!;
  const documents = names.map((name) => ({ ...registry.get(`api::${name}.${name}`), dimensions: [] }));
  const types = Object.fromEntries(documents.map(({ uid }, at) => [uid, { table: `${names[at]}s` }]));
  let statements = 0;
  const rows: typeof database.rows = (statement, values) => {
    statements += 1;
    return database.rows(statement, values);
  };
  const layout = { tables: [], types } as unknown as Layout;
  const found = await findLeftoverDrafts({ rows, dialect: database.dialect }, { ...registry, documents }, layout);
  return { leftover: found.map(({ table, isDoubled }) => ({ table, isDoubled })), statements };
}

test('published versions are asked for only where drafts are found, and told of the types that have them', async () => {
  await topics().create({ title: 'never published' }, draft);
  await app!.documents.of('api::paper.paper').create({ title: 'published' });
  expect(await foundOf('person', 'label')).toEqual({ leftover: [], statements: 1 });
  const leftover = [
    { table: 'topics', isDoubled: false },
    { table: 'papers', isDoubled: true },
  ];
  expect(await foundOf('person', 'topic', 'paper')).toEqual({ leftover, statements: 2 });
});

test('a type without drafts starts as ever where all that it holds is published', async () => {
  await reopened(false);
  const { documentId } = await topics().create({ title: 'plain' });
  await topics().update(String(documentId), { title: 'changed' });
  await reopened(false);
  expect(await topics().find()).toMatchObject([{ title: 'changed' }]);
});

test('documents that were made while there were no drafts can be deleted', async () => {
  await reopened(false);
  const { documentId } = await topics().create({ title: 'plain' });
  const { documentId: narrowed } = await topics().create({ title: 'narrowed' });
  await reopened(true);
  await topics().delete(String(documentId));
  await topics().delete(String(narrowed), { filters: { title: 'another' } });
  expect(await topics().find()).toMatchObject([{ title: 'narrowed' }]);
  await topics().delete(String(narrowed), { filters: { title: 'narrowed' } });
  expect(await topics().find()).toEqual([]);
});
