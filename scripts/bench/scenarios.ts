import { articleWrite, type Filled } from './content';
import { upload } from './picture';
import { type BenchRequest, get, send } from './requests';

export interface Scenario {
  readonly name: string;
  /** Changes what is stored: comes after all that only read. */
  readonly writes?: boolean;
  /** The floor answers it, too. */
  readonly onFloor?: boolean;
  /** How many times the requests per second of the reference it is to reach; none where it is only told. */
  readonly target?: { readonly peer?: number; readonly floor?: number };
  requests(filled: Filled): BenchRequest[] | Promise<BenchRequest[]>;
}

const query = (path: string, parameters: Readonly<Record<string, string>>): string =>
  `${path}?${Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')}`;

const graphql = (text: string): BenchRequest => send('POST', '/graphql', { query: text });

const some = <T>(list: readonly T[]): readonly T[] => list.slice(0, 50);

const threeLevels = '{ articles { title slug author { name articles { title rating } } categories { name } } }';
const menu =
  '{ homepage { headline zone { ... on ComponentBlocksHero { title author { name } articles { title slug } } } } }';

/** What is measured. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'list',
    onFloor: true,
    target: { peer: 25, floor: 2 },
    requests: () => [get('/api/articles')],
  },
  {
    // What is asked for at once is the same in part.
    name: 'three lists',
    requests: () => ['title', 'slug', 'rating'].map((sort) => get(query('/api/articles', { sort }))),
  },
  {
    // What is asked for at once is never the same.
    name: 'pages of a list',
    requests: ({ articles }) =>
      some(Array.from({ length: Math.ceil(articles.length / 25) }, (_, index) => index + 1)).map((page) =>
        get(query('/api/articles', { 'pagination[page]': String(page) })),
      ),
  },
  {
    name: 'one document',
    onFloor: true,
    target: { peer: 20 },
    requests: ({ articles }) => some(articles).map((id) => get(`/api/articles/${id}`)),
  },
  {
    name: 'filtered and sorted',
    target: { peer: 25 },
    requests: () => [
      get(query('/api/articles', { 'filters[rating][$gte]': '5', 'filters[featured]': 'true', sort: 'price:desc' })),
    ],
  },
  {
    name: 'populate=*',
    onFloor: true,
    target: { peer: 20, floor: 1.5 },
    requests: () => [get('/api/articles?populate=*')],
  },
  {
    name: 'deep populate',
    target: { peer: 25 },
    requests: () => [
      get(
        query('/api/articles', {
          'populate[author][populate]': 'profile',
          'populate[categories]': 'true',
          'populate[sections][populate]': 'expert',
          'populate[seo][populate]': 'social',
          'populate[zone][on][blocks.hero][populate][articles][populate]': 'author',
        }),
      ),
    ],
  },
  {
    name: 'GraphQL three levels',
    target: { peer: 60 },
    requests: () => [graphql(threeLevels)],
  },
  {
    name: 'GraphQL large menu',
    target: { peer: 60 },
    requests: () => [graphql(menu)],
  },
  {
    // Bound by bcrypt, which costs the same everywhere.
    name: 'login',
    requests: ({ users }) =>
      users.map(({ identifier, password }) => send('POST', '/api/auth/local', { identifier, password })),
  },
  {
    name: 'create',
    writes: true,
    target: { peer: 15 },
    requests: (filled) =>
      Array.from({ length: 20 }, (_, index) => articleWrite('POST', '/api/articles', filled, index)),
  },
  {
    name: 'update with relations',
    writes: true,
    target: { peer: 15 },
    requests: (filled) =>
      some(filled.articles).map((id, index) => articleWrite('PUT', `/api/articles/${id}`, filled, index)),
  },
  {
    name: 'publish',
    writes: true,
    target: { peer: 15 },
    requests: ({ articles }) => some(articles).map((id) => send('PUT', `/api/articles/${id}`, { data: {} })),
  },
  {
    // Bound by sharp, which makes the smaller versions.
    name: 'upload',
    writes: true,
    requests: async () => [await upload()],
  },
];
