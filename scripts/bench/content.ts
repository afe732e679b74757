import { type BenchRequest, send } from './requests';

/** What articles that are written lead to. */
export interface Linked {
  readonly authors: readonly string[];
  readonly categories: readonly string[];
}

/** What the scenarios need to know of a filled database. */
export interface Filled extends Linked {
  readonly articles: readonly string[];
  readonly users: readonly User[];
}

/** Somebody who may log in. */
export interface User {
  readonly identifier: string;
  readonly password: string;
}

const words =
  'the quick brown fox jumps over a lazy dog while rivers run to the sea and nobody counts the stars above old houses'.split(
    ' ',
  );

/** The same numbers in the same order at every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

export interface Author {
  /** Makes one document; its `documentId`. */
  create(path: string, data: unknown): Promise<string>;
  put(path: string, data: unknown): Promise<void>;
  /** Stores a picture; its id, or nothing where files are not served. */
  picture(name: string): Promise<number | undefined>;
  /** Makes a confirmed user. */
  user(user: User): Promise<void>;
}

const counts = { categories: 20, tags: 200, authors: 50, products: 100, pictures: 10, users: 10 };

/** Makes the documents of the benchmark: articles with relations, components, a zone and media, and what they lead to. */
export async function makeContent({ create, put, picture, user }: Author, articles: number): Promise<Filled> {
  const random = numbers(7);
  const text = (length: number): string =>
    Array.from({ length }, () => words[Math.floor(random() * words.length)]).join(' ');
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const each = async <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> => {
    const made: T[] = [];
    for (let index = 0; index < count; index += 1) made.push(await make(index));
    return made;
  };

  const pictures = (await each(counts.pictures, (index) => picture(`picture-${index}.png`))).filter(
    (id) => id !== undefined,
  );
  const media =
    pictures.length > 0 ? { cover: () => pick(pictures), gallery: () => [pick(pictures), pictures[0]] } : {};
  const categories = await each(counts.categories, (index) => create('/api/categories', { name: `Category ${index}` }));
  const tags = await each(counts.tags, (index) => create('/api/tags', { label: `tag ${index}`, weight: index }));
  const profiles = await each(counts.authors, (index) =>
    create('/api/profiles', { website: `https://author-${index}.example` }),
  );
  const authors = await each(counts.authors, (index) =>
    create('/api/authors', {
      name: `Author ${index}`,
      email: `author-${index}@example.org`,
      bio: text(20),
      profile: profiles[index],
    }),
  );
  await each(counts.products, (index) =>
    create('/api/products', { name: `Product ${index}`, sku: `sku-${index}`, price: index * 1.25, stock: index }),
  );

  const users = await each(counts.users, async (index) => {
    const made = { identifier: `user-${index}@example.org`, password: `Password-${index}` };
    await user(made);
    return made;
  });

  const known: string[] = [];
  for (let index = 0; index < articles; index += 1) {
    known.push(
      await create('/api/articles', {
        title: `Article ${index} ${text(4)}`,
        slug: `article-${index}`,
        summary: text(15),
        body: text(60),
        content: [{ type: 'paragraph', children: [{ type: 'text', text: text(20) }] }],
        kind: pick(['news', 'review', 'guide']),
        contact: 'someone@example.org',
        day: '2024-02-29',
        hour: '10:11:12',
        at: new Date(1.7e12 + index * 1e6).toISOString(),
        stamp: 1.7e12 + index,
        rating: index % 11,
        views: String(1e12 + index),
        score: index / 7,
        price: (index % 100) + 0.5,
        featured: index % 2 === 0,
        extra: { a: index, b: ['x', 'y'] },
        ...Object.fromEntries(Object.entries(media).map(([name, value]) => [name, value()])),
        author: pick(authors),
        categories: [...new Set([pick(categories), pick(categories)])],
        tags: [pick(tags)],
        related: known.slice(-2),
        seo: {
          metaTitle: `On ${text(2)}`,
          metaDescription: text(8),
          social: [
            { network: 'x', handle: '@a' },
            { network: 'mastodon', handle: '@b' },
          ],
        },
        sections: [1, 2, 3].map((position) => ({ heading: text(2), text: text(20), position, expert: pick(authors) })),
        zone: [
          { __component: 'blocks.hero', title: text(3), author: pick(authors), articles: known.slice(-2) },
          { __component: 'blocks.quote', text: text(12), by: 'Somebody' },
          { __component: 'blocks.media-list', title: text(2), social: { network: 'linkedin', handle: 'in' } },
        ],
      }),
    );
  }
  await put('/api/homepage', {
    headline: 'A large menu',
    zone: Array.from({ length: 12 }, (_, index) => ({
      __component: 'blocks.hero',
      title: text(3),
      author: pick(authors),
      articles: known.slice(index * 5, index * 5 + 5),
    })),
    featured: known.slice(0, 10),
  });
  return { articles: known, authors, categories, users };
}

/** The body of a write that touches scalars, relations and components. */
export const articleBody = ({ authors, categories }: Linked, index: number): unknown => ({
  data: {
    title: `Written ${index}`,
    body: words.join(' '),
    rating: index % 11,
    author: authors[index % authors.length],
    categories: categories.slice(0, 2),
    seo: { metaTitle: 'Written', social: [{ network: 'x', handle: '@a' }] },
    sections: [{ heading: 'One' }, { heading: 'Two' }],
  },
});

export const articleWrite = (method: 'POST' | 'PUT', path: string, linked: Linked, index: number): BenchRequest =>
  send(method, path, articleBody(linked, index));
