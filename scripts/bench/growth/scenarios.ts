/** What the scenarios need to know of the articles of one database: some of them, spread over all. */
export interface Known {
  readonly ids: readonly string[];
  readonly slugs: readonly string[];
  readonly author: string;
  /** Of as many articles whatever the size. */
  readonly rareAuthor: string;
}

export interface GrowthScenario {
  readonly name: string;
  /** Requests that are sent in turn; what is behind `deep` is asked for first, and its `nextCursor` put behind each. */
  paths(known: Known): readonly string[];
  /** A list up to the middle, whose cursor the requests go on from. */
  readonly deep?: string;
  /** Not in Strapi. */
  readonly beyond?: boolean;
}

const ten = 'pagination[pageSize]=10';
/** The page that is asked for far behind the first, and how many articles it takes to fill it. */
const farPage = 1_000;
export const fewest = farPage * 10;

const list = (query: string): string => `/api/articles?${query}&${ten}`;

/** What is to cost the same however many documents there are. */
export const growthScenarios: readonly GrowthScenario[] = [
  { name: 'page 1', paths: () => [list('')] },
  { name: 'page 1, drafts', paths: () => [list('status=draft')] },
  { name: 'page 1,000 of 10', paths: () => [list(`pagination[page]=${farPage}`)] },
  { name: 'filter by a uid', paths: ({ slugs }) => slugs.map((slug) => list(`filters[slug]=${slug}`)) },
  { name: 'filter by a relation', paths: ({ author }) => [list(`filters[author][name]=${author}`)] },
  { name: 'filter by a rare relation', paths: ({ rareAuthor }) => [list(`filters[author][name]=${rareAuthor}`)] },
  { name: 'sort by a uid', paths: () => [list('sort=slug')] },
  { name: 'sort by a uid, descending', paths: () => [list('sort=slug:desc')] },
  { name: 'one document', paths: ({ ids }) => ids.map((id) => `/api/articles/${id}`) },
  { name: 'next page in the middle', deep: '', beyond: true, paths: () => [list('')] },
  { name: 'next page in the middle, by a uid', deep: 'sort=slug', beyond: true, paths: () => [list('sort=slug')] },
];

/** Lists whose first count is reported apart. */
export const counted = list('');
