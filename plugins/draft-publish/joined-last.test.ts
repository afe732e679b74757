import { versionsApp } from './versions-app.fixture';

// Where new documents stand in the lists of what they link.
// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

const toPage = (relation: string, side: object) => ({ type: 'relation', relation, target: 'api::page.page', ...side });
const page = {
  info: { singularName: 'page', pluralName: 'pages', displayName: 'page' },
  options: { draftAndPublish: true },
  attributes: {
    name: { type: 'string' },
    parent: toPage('manyToOne', { inversedBy: 'children' }),
    children: toPage('oneToMany', { mappedBy: 'parent' }),
    seen: toPage('manyToMany', { inversedBy: 'seenBy' }),
    seenBy: toPage('manyToMany', { mappedBy: 'seen' }),
    pair: toPage('oneToOne', { inversedBy: 'paired' }),
    paired: toPage('oneToOne', { mappedBy: 'pair' }),
  },
};

const app = versionsApp({ 'src/api/page/content-types/page/schema.json': page } as never);
const pages = () => app().documents.of('api::page.page');
const make = async (name: string, links: object = {}): Promise<string> =>
  String((await pages().create({ name, ...links }))['documentId']);
const draft = { parameters: { status: 'draft' } };

/** What a page lists, by name, as draft and as published. */
async function listed(documentId: string, list: string): Promise<unknown[]> {
  const names = async (status: string): Promise<unknown> => {
    const found = await pages().findOne(documentId, { populate: { [list]: true }, parameters: { status } });
    return (found![list] as { name: string }[]).map(({ name }) => name);
  };
  return [await names('draft'), await names('published')];
}

test.each([
  ['parent', 'children', []],
  ['parent', 'children', ['children']],
  ['seen', 'seenBy', ['pair']],
  ['seen', 'seenBy', ['children', 'paired']],
])('a new one that links by %s comes last in both versions of %s, also with %j', async (link, list, more) => {
  const to = (id: string): unknown => (link === 'parent' ? id : [id]);
  const target = await make('target');
  const names = ['a', 'b', 'c', 'd', 'e'];
  const ids: string[] = [];
  for (const name of names) ids.push(await make(name, { [link]: to(target) }));
  // The drafts' list ends before that of what is published.
  for (const id of ids.slice(3)) await pages().update(id, { [link]: null }, draft);
  const x = await make('x');
  const others = Object.fromEntries(more.map((name) => [name, name === 'children' ? [x] : x]));
  await make('new', { [link]: to(target), ...others });
  expect(await listed(target, list)).toEqual([
    ['a', 'b', 'c', 'new'],
    [...names, 'new'],
  ]);
});
