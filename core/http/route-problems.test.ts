import { sends, testApplication } from '../testing/test-application';
import { get, routesOf } from './items-app.fixture';
import type { Route } from './route';

const take = sends('it');

/** What a start says of a plugin with these routes. */
async function complaints(...routes: Route[]): Promise<string[]> {
  try {
    const app = await testApplication({ plugins: [routesOf('mine', routes)] });
    await app.remove();
    return [];
  } catch (error) {
    return (error as { problems: { where: string; what: string }[] }).problems.map(
      ({ where, what }) => `${where} ${what}`,
    );
  }
}

test.each([
  ['notes', 'has a path that does not start with "/".'],
  ['/my notes', 'has blanks in its path.'],
  ['/notes//all', 'has an empty part in its path.'],
  ['/notes/{id}', 'has brackets in its path.'],
  ['/notes/{id', 'has brackets in its path.'],
  ['/notes/:', 'has a parameter without a name.'],
  ['/notes/:/parts', 'has a parameter without a name.'],
  ['/notes/:id(\\d+', 'has a parenthesis in its path that is not closed.'],
  ['/files/*/raw', 'has "*" before the end of its path.'],
  ['/notes?all', 'has "?" or "#" in its path, where no request has any.'],
  ['/notes#all', 'has "?" or "#" in its path, where no request has any.'],
  ['/notes/:id/parts/:id', 'has two parameters called "id".'],
])('the path %s is refused', async (path, what) => {
  expect(await complaints(get(path, take))).toEqual([`route GET ${path} of plugin "mine" ${what}`]);
});

test('a route without a path, or with a method that nobody asks, is refused with all others', async () => {
  const [lost, shouted] = [get(undefined as never, take), { ...get('/notes', take), method: 'get' as never }];
  expect(await complaints(lost, shouted)).toEqual([
    'route GET undefined of plugin "mine" has no path.',
    'route get /notes of plugin "mine" has no method that can be asked.',
  ]);
});

test('a route that one plugin adds twice is refused', async () => {
  expect(await complaints(get('/notes/:id', take), get('/Notes/:name/', take))).toEqual([
    'route GET /Notes/:name/ is added by plugin "mine" twice.',
  ]);
});

test('what the router knows is taken', async () => {
  const paths = ['/', '/notes/', '/notes/:id(\\d{2})', '/a/:b-:c', '/d/:e?', '/f/*', '/g::h', '/a_b.c~d/:e.json'];
  expect(await complaints(...paths.map((path) => get(path, take)))).toEqual([]);
});
