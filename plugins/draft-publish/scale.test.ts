import type { Operation } from '../../core';
import { watchStatements } from '../sql/store/database-app.fixture';
import { type Content, makeLeaves, type Sizes, scaleFiles } from './scale.fixture';
import { versionsApp } from './versions-app.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

jest.setTimeout(300_000);

const app = versionsApp(scaleFiles());

const small: Sizes = { links: 40, zone: 30, nests: 2 };
const large: Sizes = { links: 1_000, zone: 300, nests: 50 };

let content: Content;
beforeAll(async () => {
  content = await makeLeaves(app().documents, large.links);
});

interface Cost {
  readonly statements: number;
  readonly milliseconds: number;
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  let statements = 0;
  const unwatch = watchStatements(app().database, () => {
    statements += 1;
  });
  const start = performance.now();
  await work();
  const milliseconds = performance.now() - start;
  unwatch();
  return { statements, milliseconds };
}

const act = (name: string, type: string, documentId: string): Promise<unknown> => {
  const operation: Operation = {
    action: name,
    type: app().registry.get(`api::${type}.${type}`),
    documentId,
    query: {},
    rights: 'system',
  };
  return app().actions.get(name)!.run(operation);
};

const nested = (level: number): object =>
  level > 1 ? { populate: { leaf: true, nest: nested(level - 1) } } : { populate: '*' };
const everything = { links: true, marks: true, zone: { populate: '*' }, nest: nested(5) };

/** What is done with a page in its life, and what each costs. */
async function lifeOf(sizes: Sizes): Promise<Map<string, Cost>> {
  const pages = app().documents.of('api::page.page');
  const draft = { parameters: { status: 'draft' } };
  const costs = new Map<string, Cost>();
  let id = '';
  const told = content.body(sizes);
  const first = content.leaves[0]!;
  const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
    [
      'create',
      async () => {
        id = String((await pages.create(told))['documentId']);
      },
    ],
    ['change a value', () => pages.update(id, { name: 'changed' })],
    ['replace all', () => pages.update(id, told, draft)],
    ['disconnect', () => pages.update(id, { links: { disconnect: [first] } }, draft)],
    [
      'connect',
      () => pages.update(id, { links: { connect: [{ documentId: first, position: { start: true } }] } }, draft),
    ],
    ['publish', () => act('publish', 'page', id)],
    ['unpublish', () => act('unpublish', 'page', id)],
    ['publish again', () => act('publish', 'page', id)],
    ['discard', () => act('discardDraft', 'page', id)],
    ['read', () => pages.findOne(id, { populate: everything })],
  ];
  for (const [name, work] of steps) costs.set(name, await costOf(work));
  const shown = (await pages.findOne(id, { populate: everything })) as Record<string, unknown[]>;
  expect([shown['links'], shown['marks'], shown['zone'], shown['nest']].map((list) => list!.length)).toEqual([
    sizes.links,
    sizes.links,
    sizes.zone,
    sizes.nests,
  ]);
  costs.set('delete', await costOf(() => pages.delete(id)));
  return costs;
}

test('thirty kinds of components, a thousand relations and five levels cost what they hold', async () => {
  await lifeOf(small);
  const little = await lifeOf(small);
  const much = await lifeOf(large);
  for (const [name, { statements, milliseconds }] of much) {
    const before = little.get(name)!;
    // As many statements, but for those that take a thousand rows in several pieces.
    expect({ name, more: statements - before.statements <= 60 }).toEqual({ name, more: true });
    // Twenty-five times as much of everything: time may follow that, and no more than a few times.
    const most = 100 * Math.max(before.milliseconds, 10);
    expect({ name, milliseconds: Math.min(milliseconds, most) }).toEqual({ name, milliseconds });
  }
});

test('a document that hundreds link costs no more than it changes', async () => {
  const { documents } = app();
  const pages = documents.of('api::page.page');
  const hub = String((await documents.of('api::leaf.leaf').create({ name: 'hub' }))['documentId']);
  const link = (name: string) => pages.create({ name, links: [hub], marks: [hub] });
  const statementsOf = async (work: () => Promise<unknown>): Promise<number> => (await costOf(work)).statements;
  const measured = async (): Promise<Record<string, number>> => {
    const draft = await pages.create({ name: 'draft', links: [hub] }, { parameters: { status: 'draft' } });
    await link('later');
    return {
      linking: await statementsOf(() => link('another')),
      'publishing between others': await statementsOf(() => act('publish', 'page', String(draft['documentId']))),
      'publishing the hub again': await statementsOf(() => act('publish', 'leaf', hub)),
      'unpublishing the hub': await statementsOf(() => act('unpublish', 'leaf', hub)),
      'publishing the hub': await statementsOf(() => act('publish', 'leaf', hub)),
    };
  };
  await link('first');
  const before = await measured();
  for (let at = 0; at < 300; at++) await link(`p${at}`);
  const after = await measured();
  for (const [name, statements] of Object.entries(after))
    expect({ name, more: statements - before[name]! <= 12 }).toEqual({ name, more: true });

  const { pages: shown } = (await documents.of('api::leaf.leaf').findOne(hub, {
    populate: { pages: { fields: 'name' } },
  })) as { pages: { name: string }[] };
  const names = shown.map(({ name }) => name);
  expect(names).toHaveLength(307);
  expect(names.slice(0, 4)).toEqual(['first', 'draft', 'later', 'another']);
  expect(names.slice(-3)).toEqual(['draft', 'later', 'another']);
});

test('a discarded draft keeps its links to what is not published, in however many components, at one cost', async () => {
  const { documents } = app();
  const pages = documents.of('api::page.page');
  const draft = { parameters: { status: 'draft' } };
  const sketch = String((await documents.of('api::leaf.leaf').create({ name: 'sketch' }, draft))['documentId']);
  const discarding = async (count: number): Promise<number> => {
    const zone = Array.from({ length: count }, (_, at) => ({
      __component: `part.block${at % 3}`,
      text: `${at}`,
      leaf: sketch,
    }));
    const { documentId } = await pages.create({ name: 'page', zone });
    const { statements } = await costOf(() => act('discardDraft', 'page', String(documentId)));
    const shown = await pages.findOne(String(documentId), { ...draft, populate: { zone: { populate: '*' } } });
    expect((shown!['zone'] as { leaf: { name: string } }[]).map(({ leaf }) => leaf.name)).toEqual(
      zone.map(() => 'sketch'),
    );
    return statements;
  };
  await discarding(3);
  expect(await discarding(90)).toBe(await discarding(6));
});
