import fc from 'fast-check';

// For tests: random writes to the content types of conformance/fixtures, over REST.

type Pick = (type: string, at: number) => string;
type Data = Readonly<Record<string, unknown>>;

export interface RandomWrite {
  /** The types whose documents the write picks from. */
  readonly needs: readonly string[];
  request(pick: Pick): { readonly method: string; readonly path: string; readonly data?: Data };
}

const at = fc.nat(1_000);
const text = fc.constantFrom('one', 'two', 'three');
const number = fc.integer({ min: 1, max: 9 });
type Body = (pick: Pick) => Data;
type Value = (pick: Pick) => unknown;

const fixed = (values: fc.Arbitrary<unknown>): fc.Arbitrary<Value> => values.map((value) => () => value);
const one = (type: string): fc.Arbitrary<Value> =>
  fc.oneof(
    fc.constant(() => null),
    at.map(
      (place): Value =>
        (pick) =>
          pick(type, place),
    ),
  );
const many = (type: string): fc.Arbitrary<Value> =>
  fc.tuple(fc.uniqueArray(at, { maxLength: 4 }), fc.constantFrom('set', 'connect', 'disconnect')).map(
    ([places, verb]): Value =>
      (pick) => ({ [verb]: [...new Set(places.map((place) => pick(type, place)))] }),
  );

/** A body with some of these. */
const some = (
  values: Readonly<Record<string, fc.Arbitrary<Value>>>,
  always: Readonly<Record<string, fc.Arbitrary<Value>>> = {},
): fc.Arbitrary<Body> =>
  fc.tuple(fc.record(values, { requiredKeys: [] }), fc.record(always)).map(
    ([given, told]): Body =>
      (pick) =>
        Object.fromEntries(
          Object.entries({ ...told, ...given }).map(([name, value]) => [name, (value as Value)(pick)]),
        ),
  );

const listOf = (part: fc.Arbitrary<Body>): fc.Arbitrary<Value> =>
  fc.array(part, { maxLength: 3 }).map(
    (parts): Value =>
      (pick) =>
        parts.map((each) => each(pick)),
  );

const social = some({ network: fixed(fc.constant(null)) }, { handle: fixed(text) });
const seo = some(
  { metaDescription: fixed(text), noIndex: fixed(fc.boolean()), social: listOf(social) },
  { metaTitle: fixed(text) },
);
const section = some({ heading: fixed(text), position: fixed(number), expert: one('authors') });
const quote = some({ by: fixed(text) }, { text: fixed(text), __component: fixed(fc.constant('blocks.quote')) });
const hero = some(
  {
    author: one('authors'),
    articles: many('articles').map(
      (value): Value =>
        (pick) =>
          Object.values(value(pick) as object)[0],
    ),
  },
  { title: fixed(text), __component: fixed(fc.constant('blocks.hero')) },
);

const bodies: Readonly<Record<string, fc.Arbitrary<Body>>> = {
  articles: some(
    {
      summary: fixed(text),
      rating: fixed(number),
      author: one('authors'),
      categories: many('categories'),
      tags: many('tags'),
      related: many('articles'),
      lead: one('authors'),
      seo,
      sections: listOf(section),
      zone: listOf(fc.oneof(quote, hero)),
    },
    { title: fixed(text) },
  ),
  authors: some(
    {
      bio: fixed(text),
      active: fixed(fc.boolean()),
      articles: many('articles'),
      profile: one('profiles'),
      mentor: one('authors'),
    },
    { name: fixed(text) },
  ),
  categories: some(
    { description: fixed(text), articles: many('articles'), parent: one('categories') },
    { name: fixed(text) },
  ),
  restaurants: some(
    { opened: fixed(fc.constant('2024-05-06')), categories: many('categories'), menu: listOf(section) },
    { name: fixed(text) },
  ),
  tags: some({ color: fixed(text), weight: fixed(number) }),
  profiles: some({ website: fixed(text), author: one('authors') }),
};
const localized = new Set(['categories', 'restaurants']);
const drafted = new Set(['articles', 'categories', 'restaurants']);
const needs = Object.keys(bodies);

export const randomWrites: fc.Arbitrary<RandomWrite> = fc
  .constantFrom('articles', 'articles', 'articles', ...needs)
  .chain((type) =>
    fc
      .record({
        does: fc.constantFrom(
          'POST',
          'PUT',
          'PUT',
          'PUT',
          'DELETE',
          ...(drafted.has(type) ? ['publish', 'publish', 'unpublish', 'discard-draft'] : []),
        ),
        place: at,
        body: bodies[type]!,
        locale: localized.has(type) ? fc.constantFrom('', 'en', 'fr', 'de') : fc.constant(''),
        status: fc.constantFrom('', '', 'draft'),
      })
      .map(
        ({ does, place, body, locale, status }): RandomWrite => ({
          needs,
          request(pick) {
            const query = `?locale=${locale}${status && does !== 'DELETE' ? `&status=${status}` : ''}`;
            const path = `/api/${type}${does === 'POST' ? '' : `/${pick(type, place)}`}`;
            if (does === 'DELETE') return { method: does, path: path + query };
            if (does === 'POST' || does === 'PUT') return { method: does, path: path + query, data: body(pick) };
            return { method: 'POST', path: `${path}/${does}${query}` };
          },
        }),
      ),
  );
