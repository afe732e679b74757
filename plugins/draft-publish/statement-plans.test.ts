import type { Operation, TypeDocuments } from '../../core';
import { client, watchStatements } from '../sql/store/database-app.fixture';
import { projectFiles } from './linked-project.fixture';
import { makeLeaves, scaleFiles } from './scale.fixture';
import { type VersionsApp, versionsApp } from './versions-app.fixture';

// What SQLite makes of the statements; the servers plan by what they know of the tables.

const app = versionsApp(scaleFiles());
const linked = versionsApp(filesWithUniqueCodes());

/** Everything is linked with everything, in locales, too; whether a code is there already is looked up. */
function filesWithUniqueCodes(): Record<string, object> {
  const files = Object.entries(projectFiles()) as [string, { attributes: object }][];
  const code = { type: 'string', unique: true };
  return Object.fromEntries(files.map(([path, file]) => [path, { ...file, attributes: { ...file.attributes, code } }]));
}

/** Reads a whole table, all that stands in one attribute of all documents, or all of a version, or of a locale. */
const isWide = (step: string): boolean =>
  /_(field|component_type)_idx/.test(step) ||
  /^SCAN \w+( USING COVERING INDEX \w+)?$/.test(step) ||
  /_narrow \(/.test(step);

/** What SQLite makes of the statements that some writes take, as far as it reads more than what they are about. */
async function widePlans({ database }: VersionsApp, writes: () => Promise<void>): Promise<Map<string, string[]>> {
  const statements = new Set<string>();
  const unwatch = watchStatements(database, (sql) => {
    if (!/heddle|strapi_/.test(sql)) statements.add(sql);
  });
  await writes();
  unwatch();
  expect(statements.size).toBeGreaterThan(30);
  const plans = new Map<string, string[]>();
  for (const sql of statements) {
    const values = Array<number>(sql.split('?').length - 1).fill(1);
    const steps = await database.rows({ sql: `explain query plan ${sql}` }, values);
    const derived = [...sql.matchAll(/\) (\w+)\b/g)].map(([, alias]) => `SCAN ${alias}`);
    const wide = steps.map((step) => String(step.at(-1))).filter((step) => isWide(step) && !derived.includes(step));
    if (wide.length > 0) plans.set(sql, wide);
  }
  return plans;
}

async function act({ actions, registry }: VersionsApp, type: string, documentId: string, ...names: string[]) {
  for (const action of names) {
    const operation: Operation = { action, type: registry.get(type), documentId, query: {}, rights: 'system' };
    await actions.get(action)!.run(operation);
  }
}

const onSqlite = client === 'sqlite' ? test : test.skip;

onSqlite('no write reads more than what it is about', async () => {
  const content = await makeLeaves(app().documents, 10);
  const pages = app().documents.of('api::page.page');
  const body = content.body({ links: 3, zone: 3, nests: 2 });
  const wide = await widePlans(app(), async () => {
    const id = String((await pages.create(body))['documentId']);
    await pages.update(id, body, { parameters: { status: 'draft' } });
    await act(app(), 'api::page.page', id, 'publish', 'unpublish', 'publish', 'discardDraft');
    await pages.delete(id);
  });
  expect(wide).toEqual(new Map());
});

onSqlite(
  'nor does one where there are locales, links that one document only may have, and values that are unique',
  async () => {
    const docs = (type: string): TypeDocuments => linked().documents.of(`api::${type}.${type}`);
    let made = 0;
    const make = async (type: string, data: object = {}): Promise<string> => {
      made += 1;
      return String((await docs(type).create({ title: `${type} ${made}`, code: `c${made}`, ...data }))['documentId']);
    };
    const many = async (type: string): Promise<string[]> => {
      const ids: string[] = [];
      for (let count = 0; count < 9; count++) ids.push(await make(type));
      return ids;
    };
    const [papers, topics, people, labels] = [
      await many('paper'),
      await many('topic'),
      await many('person'),
      await many('label'),
    ];
    const links = {
      next: papers,
      pair: papers[0],
      cites: papers,
      citedBy: papers,
      topics,
      main: topics[0],
      author: people[0],
    };
    const noted = { topics, lead: topics[0], labels, mentions: topics.map((topic) => ({ topic })) };
    const wide = await widePlans(linked(), async () => {
      const paper = await make('paper', links);
      await docs('paper').update(paper, { ...links, code: 'changed' }, { parameters: { status: 'draft' } });
      const note = await make('note', noted);
      await docs('note').update(note, { title: 'fr', mentions: [{ text: 'm' }] }, { parameters: { locale: 'fr' } });
      await docs('note').update(note, { title: 'changed', ...noted, topics: topics.slice(1) });
      await make('person', { papers, favourites: papers, cards: [{ about: papers[0], sources: papers }] });
      await docs('label').update(labels[0]!, { title: 'fr', kin: [] }, { parameters: { locale: 'fr' } });
      await act(linked(), 'api::paper.paper', paper, 'publish', 'unpublish', 'publish', 'discardDraft');
      await act(linked(), 'api::note.note', note, 'publish', 'unpublish', 'publish', 'discardDraft');
      for (const [type, id] of [
        ['paper', paper],
        ['note', note],
        ['topic', topics[3]!],
      ] as const)
        await docs(type).delete(id);
    });
    expect(wide).toEqual(new Map());
  },
);

test('a write takes few statements: one for a table on a level, and one for all ties that are read there', async () => {
  const content = await makeLeaves(app().documents, 10);
  const pages = app().documents.of('api::page.page');
  const body = content.body({ links: 3, zone: 3, nests: 2 });
  let statements = 0;
  const unwatch = watchStatements(app().database, () => {
    statements += 1;
  });
  const id = String((await pages.create(body))['documentId']);
  const created = statements;
  await pages.update(id, body);
  unwatch();
  const locks = client === 'sqlite' ? 0 : 6;
  expect(created).toBeLessThanOrEqual(52 + locks);
  expect(statements - created).toBeLessThanOrEqual(96 + locks);
});
