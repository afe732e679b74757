import fc from 'fast-check';
import { idOf, type Service } from './cached-app.fixture';

// For tests: writes of all sorts, drawn at random, to a small number of documents that answers show in many ways.

export type Write = (service: Service, world: World) => Promise<unknown>;

/** What there is to write to. */
export interface World {
  readonly articles: string[];
  readonly authors: string[];
  readonly categories: string[];
  readonly files: number[];
  count: number;
}

export const newWorld = (): World => ({ articles: [], authors: [], categories: [], files: [], count: 0 });

const some = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)];

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

const articleOf = (world: World, at: number) => ({
  title: `Title ${++world.count}`,
  rating: world.count % 11,
  author: some(world.authors, at) ?? null,
  categories: [some(world.categories, at)].filter(Boolean),
  related: [some(world.articles, at + 1)].filter(Boolean),
  cover: some(world.files, at) ?? null,
  seo: { metaTitle: `Seo ${world.count}`, social: [{ network: 'x', handle: `h${world.count}` }] },
  zone: [
    { __component: 'blocks.hero', title: `Hero ${world.count}`, author: some(world.authors, at + 1) ?? null },
    { __component: 'blocks.quote', text: `Quote ${world.count}` },
  ],
});

async function added(list: string[], answer: ReturnType<Service['send']>): Promise<void> {
  list.push(idOf(await answer));
}

const writes: Readonly<Record<string, (at: number) => Write>> = {
  'create article': (at) => (service, world) =>
    added(world.articles, service.send('post', '/api/articles', articleOf(world, at))),
  'draft article': (at) => (service, world) =>
    added(world.articles, service.send('post', '/api/articles?status=draft', articleOf(world, at))),
  'update article': (at) => (service, world) =>
    service.send('put', `/api/articles/${some(world.articles, at)}`, articleOf(world, at + 1)),
  'change draft': (at) => (service, world) =>
    service.send('put', `/api/articles/${some(world.articles, at)}?status=draft`, { title: `Draft ${++world.count}` }),
  'delete article': (at) => async (service, world) => {
    const [gone] = world.articles.splice(at % Math.max(1, world.articles.length), 1);
    await service.send('delete', `/api/articles/${gone}`);
  },
  'create author': () => (service, world) =>
    added(world.authors, service.send('post', '/api/authors', { name: `Author ${++world.count}` })),
  'update author': (at) => (service, world) =>
    service.send('put', `/api/authors/${some(world.authors, at)}`, {
      name: `Name ${++world.count}`,
      mentor: some(world.authors, at + 1),
    }),
  'delete author': (at) => async (service, world) => {
    const [gone] = world.authors.splice(at % Math.max(1, world.authors.length), 1);
    await service.send('delete', `/api/authors/${gone}`);
  },
  'create category': () => (service, world) =>
    added(world.categories, service.send('post', '/api/categories', { name: `Category ${++world.count}` })),
  'translate category': (at) => (service, world) =>
    service.send('put', `/api/categories/${some(world.categories, at)}?locale=fr`, { name: `Nom ${++world.count}` }),
  'delete translation': (at) => (service, world) =>
    service.send('delete', `/api/categories/${some(world.categories, at)}?locale=fr`),
  'add file': () => async (service, world) => {
    const { body, status, text } = await service.attach(`file-${++world.count}.png`, pixel);
    if (status !== 201) throw new Error(`${status} ${text}`);
    world.files.push(body[0].id);
  },
  'write homepage': (at) => (service, world) =>
    service.send('put', '/api/homepage', {
      headline: `Home ${++world.count}`,
      featured: [some(world.articles, at)].filter(Boolean),
    }),
  'write something else': () => (service, world) =>
    service.send('post', '/api/tags', { label: `Tag ${++world.count}` }),
};

export const anyWrite: fc.Arbitrary<{ name: string; at: number; by: number; run: Write }> = fc
  .record({ name: fc.constantFrom(...Object.keys(writes)), at: fc.nat(20), by: fc.nat(2) })
  .map((drawn) => ({ ...drawn, run: writes[drawn.name]!(drawn.at) }));

const query = (text: string): string => `graphql ${text}`;

/** What is asked, over REST or GraphQL. */
export const questions: readonly string[] = [
  '/api/articles',
  '/api/articles?status=draft&sort=title',
  '/api/articles?populate=*',
  '/api/articles?populate[author][populate]=*&populate[zone][populate]=*&populate[seo][populate]=social',
  '/api/articles?filters[author][name][$startsWith]=Name&sort=author.name',
  '/api/articles?filters[categories][name][$null]=true&fields=title',
  '/api/articles?filters[seo][social][handle][$contains]=1&populate[categories][count]=true',
  '/api/articles?sort=rating:desc&pagination[pageSize]=2&populate[related][populate]=cover',
  '/api/authors?populate[articles][populate]=cover&populate[pupils]=true',
  '/api/authors?filters[pupils][name][$notNull]=true&fields=name',
  '/api/categories?locale=fr',
  '/api/categories?populate[localizations]=true&populate[articles][fields]=title',
  '/api/homepage?populate[featured][populate]=author',
  '/api/upload/files?populate=related',
  query('{ articles { title author { name articles { title } } cover { name } } }'),
  query('{ articles_connection(filters: { rating: { gt: 3 } }) { nodes { title } pageInfo { total } } }'),
  query('{ authors { name mentor { name } articles_connection { nodes { title } } } }'),
];

export async function answerTo(service: Service, question: string, key?: null): Promise<string> {
  const { status, text } = question.startsWith('/')
    ? await service.ask(question, key)
    : await service.graphql(question.slice('graphql '.length));
  return `${status} ${text}`;
}
