import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import supertest from 'supertest';
import type { Application } from '../core';
import { type Pair, startPair, token } from './looked-at.fixture';

jest.setTimeout(120_000);

// What rows do not think of: random values of every kind, written and read by way of objects and without.

const dataDir = mkdtempSync(join(tmpdir(), 'heddle-looked-at-'));
let pair: Pair;
let article: string;
let author: string;

interface Told {
  readonly status: number;
  readonly text: string;
}

async function ask(app: Application, method: 'get' | 'post' | 'put', path: string, body?: string, form = 'v5') {
  const call = supertest(app.handler)
    [method](path)
    .set('Authorization', `Bearer ${token}`)
    .set('Strapi-Response-Format', form)
    .buffer(true)
    .ok(() => true);
  const { status, text } = await (body === undefined
    ? call
    : call.set('Content-Type', 'application/json').serialize(String).send(body));
  return { status, text };
}

async function created(path: string, data: object): Promise<string> {
  const { text } = await ask(pair.plain, 'post', path, JSON.stringify({ data }));
  return (JSON.parse(text) as { data: { documentId: string } }).data.documentId;
}

beforeAll(async () => {
  pair = await startPair(dataDir);
  author = await created('/api/authors', { name: '"An author"\u2028' });
  article = await created('/api/articles?status=draft', { title: 'An article' });
});
afterAll(async () => {
  await pair.close();
  rmSync(dataDir, { recursive: true });
});

const odd = [
  '\u0001',
  '\u0002',
  '\u0003',
  '\u001f',
  '\u007f',
  '\\',
  '"',
  '/',
  '\u2028',
  '\u2029',
  '🙂',
  'é',
  '<',
  '\n',
];
const text = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.string({ unit: fc.constantFrom(...odd), maxLength: 12 }),
    fc.constantFrom('', '12', 'true', 'null', '\\u0001', '{"a":1}'),
  )
  .map((value) => value.replaceAll('\u0000', ''));
const title = text.map((value) => `on ${value}`);
const float = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 5e-324, 1e21, 1e20, 1e-6, 1e-7, 1.7976931348623157e308, 0.1, 2 ** 53),
);
const big = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(0n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n),
);
const moment = fc
  .date({ min: new Date('1970-01-02'), max: new Date('2037-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());

/** JSON as clients write it: keys that are numbers, keys twice, odd numbers, escapes. */
const jsonText = fc.oneof(
  fc.json({ maxDepth: 4 }).filter((value) => !/\\u(0000|d[89a-f])/i.test(value)),
  fc.constantFrom(
    '{"10":1,"9":2,"a":3,"01":4,"-1":5}',
    '{"a":1,"b":2,"a":3}',
    '{"b":[1.50,-0,1E2,1e-7,12345678901234567890,1e21,1e400]}',
    '{"":null,"__proto__":[1],"toString":{}}',
    '"\\u2028\\u00e9\\/\\b\\u0001"',
    '-0',
    'null',
    '[[],{},""]',
    `${'['.repeat(20)}1${']'.repeat(20)}`,
  ),
);

const spelt = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<string> =>
  fc.option(value, { freq: 12 }).map((each) => (typeof each === 'bigint' ? `"${each}"` : JSON.stringify(each)));

const social = fc.record({ network: fc.constantFrom('x', 'mastodon'), handle: title });

const values = fc.record({
  title: title.map((value) => JSON.stringify(value)),
  summary: spelt(text),
  body: spelt(text),
  content: spelt(text.map((value) => [{ type: 'paragraph', children: [{ type: 'text', text: value }] }])),
  kind: spelt(fc.constantFrom('news', 'guide')),
  day: spelt(moment.map((time) => time.slice(0, 10))),
  hour: spelt(moment.map((time) => time.slice(11, 23))),
  at: spelt(moment),
  stamp: spelt(moment),
  rating: spelt(fc.integer({ min: 0, max: 10 })),
  views: spelt(big),
  score: spelt(float),
  price: spelt(fc.integer({ min: -9_999_999_999, max: 9_999_999_999 }).map((cents) => cents / 100)),
  featured: spelt(fc.boolean()),
  extra: jsonText,
  seo: spelt(fc.record({ metaTitle: title, noIndex: fc.boolean(), social: fc.array(social, { maxLength: 2 }) })),
  sections: spelt(fc.array(fc.record({ heading: text, text, position: fc.integer({ min: -9, max: 9 }) }))),
  zone: spelt(
    fc.array(
      fc.oneof(
        title.map((value) => ({ __component: 'blocks.quote', text: value })),
        social.map((value) => ({ __component: 'blocks.media-list', social: value })),
        title.map((value) => ({ __component: 'blocks.hero', title: value, author })),
      ),
      { maxLength: 3 },
    ),
  ),
});

const scalars =
  'title slug summary body content kind contact day hour at stamp rating views score price featured extra createdAt';
const shown = `documentId ${scalars} author { name } seo { metaTitle noIndex social { handle } }
  sections { heading text position } zone { __typename ... on ComponentBlocksQuote { text }
  ... on ComponentBlocksHero { title author { name } } ... on ComponentBlocksMediaList { social { handle } } }`;
const graphql = (query: string): string => JSON.stringify({ query });

const deep = 'populate[zone][populate]=*&populate[seo][populate]=*&populate[sections]=true&populate[author]=true';

const reads = (): Parameters<typeof ask>[] =>
  [pair.plain, pair.looking].flatMap((app): Parameters<typeof ask>[] => [
    [app, 'get', `/api/articles/${article}?status=draft&populate=*`],
    [app, 'get', `/api/articles/${article}?status=draft&populate=*`, undefined, 'v4'],
    [app, 'get', `/api/articles?status=draft&${deep}`],
    [app, 'post', '/graphql', graphql(`{ article(documentId: "${article}", status: DRAFT) { ${shown} } }`)],
    [
      app,
      'post',
      '/graphql',
      graphql(`{ articles_connection(status: DRAFT) { nodes { ${shown} } pageInfo { total } } }`),
    ],
    [
      app,
      'post',
      '/graphql',
      graphql(
        `{ articles_connection(status: DRAFT) { aggregate { count sum { rating views } avg { score } max { price at } } } }`,
      ),
    ],
  ]);

/** The same write twice: other components, other times. */
const comparable = ({ status, text: answer }: Told): string =>
  `${status} ${answer.replaceAll(/"id":\d+/g, '"id":0').replaceAll(/"updatedAt":"[^"]+"/g, '"updatedAt":0')}`;

test('random values of every kind are answered in the same bytes by way of objects', async () => {
  let written = 0;
  await fc.assert(
    fc.asyncProperty(values, async (given) => {
      const data = Object.entries(given).map(([name, json]) => `${JSON.stringify(name)}:${json}`);
      const body = `{"data":{${[...data, `"author":"${author}"`].join()}}}`;
      const path = `/api/articles/${article}?status=draft&${deep}`;
      const one = await ask(pair.plain, 'put', path, body);
      const other = await ask(pair.looking, 'put', path, body);
      expect(comparable(other)).toBe(comparable(one));
      if (one.status === 200) written += 1;
      const answers: Told[] = [];
      for (const read of reads()) answers.push(await ask(...read));
      const half = answers.length / 2;
      expect(answers.slice(half)).toEqual(answers.slice(0, half));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(answers.filter((answer) => answer.text.includes('"errors"'))).toEqual([]);
    }),
    { numRuns: 75 },
  );
  expect(written).toBeGreaterThan(50);
  expect(pair.looks()).toBeGreaterThan(60);
});
