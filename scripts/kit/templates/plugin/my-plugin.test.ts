import assert from 'node:assert/strict';
import { test } from 'node:test';

// `heddle plugin test my-plugin` starts the application with this plugin, and says where it is.
const url = process.env['HEDDLE_URL'];
const headers = { authorization: `Bearer ${process.env['HEDDLE_TOKEN']}`, 'content-type': 'application/json' };

interface Report {
  greeting: string;
  refused: number;
}

async function report(): Promise<Report> {
  const response = await fetch(`${url}/my-plugin`, { headers });
  assert.equal(response.status, 200);
  return (await response.json()) as Report;
}

test('the hook counts what is refused', async () => {
  const before = await report();
  assert.equal((await fetch(`${url}/there-is/nothing-here`)).status, 404);
  assert.equal((await report()).refused, before.refused + 1);
});

test('the route is private until it is granted', async () => {
  assert.equal((await fetch(`${url}/my-plugin`)).status, 403);
});

test('the field of GraphQL says the same as the route', async () => {
  const body = JSON.stringify({ query: '{ myPlugin { greeting refused } }' });
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body });
  assert.deepEqual(await response.json(), { data: { myPlugin: await report() } });
});
