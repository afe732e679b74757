import assert from 'node:assert/strict';
import { test } from 'node:test';

const url = process.env['HEDDLE_URL'];
const headers = { authorization: `Bearer ${process.env['HEDDLE_TOKEN']}`, 'content-type': 'application/json' };

interface Story {
  documentId: string;
  title: string;
  readingTime: number | null;
}

async function write(method: 'POST' | 'PUT', path: string, data: object): Promise<Story> {
  const response = await fetch(`${url}/api/stories${path}`, { method, headers, body: JSON.stringify({ data }) });
  assert.ok(response.ok, `${method} answers ${response.status}`);
  return ((await response.json()) as { data: Story }).data;
}

const words = (count: number): string => 'word '.repeat(count);

test('it is computed, whatever is said of it', async () => {
  const story = await write('POST', '', { title: 'short', body: words(201), readingTime: 99 });
  assert.equal(story.readingTime, 2);
});

test('it changes with the text, and with nothing else', async () => {
  const { documentId } = await write('POST', '', { title: 'a', body: words(1) });
  assert.equal((await write('PUT', `/${documentId}`, { title: 'b', readingTime: 7 })).readingTime, 1);
  assert.equal((await write('PUT', `/${documentId}`, { body: words(1_000) })).readingTime, 5);
  assert.equal((await write('PUT', `/${documentId}`, { body: null })).readingTime, null);
});

test('it can be filtered and sorted by', async () => {
  await write('POST', '', { title: 'novel', body: words(90_000) });
  const response = await fetch(`${url}/api/stories?filters[readingTime][$gt]=60&sort=readingTime:desc`, { headers });
  const { data } = (await response.json()) as { data: Story[] };
  assert.deepEqual(
    data.map(({ title, readingTime }) => [title, readingTime]),
    [['novel', 450]],
  );
});

test('the policy keeps the public out, the middleware says how long the answer is good', async () => {
  assert.equal((await fetch(`${url}/reading-time/stories`)).status, 403);
  const response = await fetch(`${url}/reading-time/stories`, { headers });
  assert.equal(response.headers.get('cache-control'), 'private, max-age=300');
  const [longest] = (await response.json()) as Story[];
  assert.equal(longest?.readingTime, 450);
  assert.equal((await fetch(`${url}/reading-time/nothing`, { headers })).status, 404);
});
