import assert from 'node:assert/strict';
import { test } from 'node:test';

const url = process.env['HEDDLE_URL'];
const headers = { authorization: `Bearer ${process.env['HEDDLE_TOKEN']}`, 'content-type': 'application/json' };

async function create(data: object): Promise<{ status: number; data: { color: string; tint: string }; text: string }> {
  const response = await fetch(`${url}/api/paints`, { method: 'POST', headers, body: JSON.stringify({ data }) });
  const text = await response.text();
  return { status: response.status, data: JSON.parse(text).data, text };
}

test('a color is kept in one form, however it is written', async () => {
  for (const color of ['#FF8800', '#f80', '#ff8800']) {
    const made = await create({ name: 'orange', color });
    assert.deepEqual([made.status, made.data.color], [201, '#ff8800']);
  }
});

test('what is no color is refused, with an example', async () => {
  for (const color of ['orange', '#12345', '#ff880080', 5, '']) {
    const refused = await create({ name: 'x', color });
    assert.equal(refused.status, 400);
    assert.match(refused.text, /color must be a color such as #a1b2c3/);
  }
});

test('alpha is an option of the attribute', async () => {
  const made = await create({ name: 'glass', color: '#fff', tint: '#fff8' });
  assert.deepEqual([made.status, made.data.tint], [201, '#ffffff88']);
});

test('filters mean colors, not texts', async () => {
  await create({ name: 'blue', color: '#0000ff' });
  const found = await fetch(`${url}/api/paints?filters[color]=%2300F&fields=name`, { headers });
  const { data } = (await found.json()) as { data: { name: string }[] };
  assert.deepEqual(
    data.map(({ name }) => name),
    ['blue'],
  );
  assert.equal((await fetch(`${url}/api/paints?filters[color]=blue`, { headers })).status, 400);
});

test('GraphQL has it without further ado', async () => {
  const body = JSON.stringify({ query: '{ paints(filters: { color: { eq: "#00f" } }) { name color } }' });
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body });
  assert.deepEqual(await response.json(), { data: { paints: [{ name: 'blue', color: '#0000ff' }] } });
});
