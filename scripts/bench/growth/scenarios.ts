import { articleWrite, type Linked } from '../content';
import { type BenchRequest, get, send } from '../requests';

/** What the scenarios need to know of one database: some of its articles, spread over all, and what these may lead to. */
export interface Known extends Linked {
  readonly ids: readonly string[];
  readonly tags: readonly string[];
  readonly slugs: readonly string[];
  readonly author: string;
  /** Of as many articles whatever the size. */
  readonly rareAuthor: string;
}

export interface GrowthScenario {
  readonly name: string;
  /** Requests that are sent in turn; what is behind `deep` is asked for first, and its `nextCursor` put behind each. */
  requests(known: Known): readonly BenchRequest[];
  /** A list up to the middle, whose cursor the requests go on from. */
  readonly deep?: string;
  /** Not in Strapi. */
  readonly beyond?: boolean;
}

const ten = 'pagination[pageSize]=10';
/** The page that is asked for far behind the first, and how many articles it takes to fill it. */
const farPage = 1_000;
export const fewest = farPage * 10;

const list = (query: string): BenchRequest => get(`/api/articles?${query}&${ten}`);

export const change = (id: string, data: unknown): BenchRequest => send('PUT', `/api/articles/${id}`, { data });

const passes = 5;

/** Writes to each document several times, each time something else: with what is written there already there is less to do. */
const inPasses = (ids: readonly string[], write: (id: string, index: number) => BenchRequest): BenchRequest[] =>
  Array.from({ length: passes }, (_, pass) => ids.map((id, at) => write(id, at + pass * (ids.length + 1)))).flat();

/** What is to cost the same however many documents there are. */
export const growthScenarios: readonly GrowthScenario[] = [
  { name: 'page 1', requests: () => [list('')] },
  { name: 'page 1, drafts', requests: () => [list('status=draft')] },
  { name: 'page 1,000 of 10', requests: () => [list(`pagination[page]=${farPage}`)] },
  { name: 'filter by a uid', requests: ({ slugs }) => slugs.map((slug) => list(`filters[slug]=${slug}`)) },
  { name: 'filter by a relation', requests: ({ author }) => [list(`filters[author][name]=${author}`)] },
  { name: 'filter by a rare relation', requests: ({ rareAuthor }) => [list(`filters[author][name]=${rareAuthor}`)] },
  { name: 'sort by a uid', requests: () => [list('sort=slug')] },
  { name: 'sort by a uid, descending', requests: () => [list('sort=slug:desc')] },
  { name: 'one document', requests: ({ ids }) => ids.map((id) => get(`/api/articles/${id}`)) },
  { name: 'next page in the middle', deep: '', beyond: true, requests: () => [list('')] },
  { name: 'next page in the middle, by a uid', deep: 'sort=slug', beyond: true, requests: () => [list('sort=slug')] },
  {
    name: 'create',
    requests: (known) => inPasses(known.ids, (_, index) => articleWrite('POST', '/api/articles', known, index)),
  },
  {
    name: 'update with relations',
    requests: (known) => inPasses(known.ids, (id, index) => articleWrite('PUT', `/api/articles/${id}`, known, index)),
  },
  {
    name: 'update of five links',
    requests: ({ ids, tags }) =>
      inPasses(ids, (id, index) =>
        change(id, { tags: [0, 1, 2, 3, 4].map((next) => tags[(index + next) % tags.length]) }),
      ),
  },
  { name: 'publish', requests: ({ ids }) => ids.map((id) => change(id, {})) },
];

/** Lists whose first count is reported apart. */
export const counted = list('');
