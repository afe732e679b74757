import { validSpecification } from '../../conformance/runner/load';
import { verdictOn } from './check';
import { draw, mutations } from './draw';

const specification = validSpecification();

test('every mutation breaks rules that rows prove, and has a name of its own', () => {
  const proven = new Set(specification.rows.flatMap(({ rules }) => rules));
  expect(
    mutations.flatMap(({ id, rules }) => rules.filter((rule) => !proven.has(rule)).map((rule) => `${id}: ${rule}`)),
  ).toEqual([]);
  expect(new Set(mutations.map(({ id }) => id)).size).toBe(mutations.length);
});

test('a seed always draws the same, another seed something else, and no mutation twice', () => {
  const ids = (seed: number, count = 40) => draw(seed, count).map(({ mutation }) => mutation.id);
  expect(ids(1)).toEqual(ids(1));
  expect(ids(1)).not.toEqual(ids(2));
  expect(new Set(ids(3)).size).toBe(40);
  expect(() => draw(1, 10_000)).toThrow(/at most/);
});

// The whole draw is played by `npm run mutations` and in mutations.long.test.ts.
test.each(['filters.lte.without-equal', 'access.create-localization.unasked', 'locale.ignored'])(
  'a row of the broken rule notices %s',
  async (id) => {
    const mutation = mutations.find((one) => one.id === id)!;
    expect(await verdictOn(mutation, specification, true)).toMatchObject({ byItsRule: true });
  },
);

test('rows notice nothing where nothing is broken', async () => {
  const sorts = { ...specification, rows: specification.rows.filter(({ id }) => id.startsWith('sort.')) };
  expect(await verdictOn(undefined, sorts)).toEqual({ noticedBy: undefined, byItsRule: false });
});
