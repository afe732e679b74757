import assert from 'node:assert/strict';
import { test } from 'node:test';

const url = process.env['HEDDLE_URL'];
const headers = { authorization: `Bearer ${process.env['HEDDLE_TOKEN']}`, 'content-type': 'application/json' };

interface Offer {
  documentId: string;
  name: string;
  market: string;
  price: number;
}

async function ask(method: string, path: string, data?: object): Promise<{ status: number; body: string }> {
  const body = data && JSON.stringify({ data });
  const response = await fetch(`${url}/api/offers${path}`, { method, headers, body });
  return { status: response.status, body: await response.text() };
}

const offerIn = (body: string): Offer => JSON.parse(body).data;

async function inTwoMarkets(name: string): Promise<string> {
  const { documentId } = offerIn((await ask('POST', '', { name, price: 10 })).body);
  assert.equal((await ask('PUT', `/${documentId}?market=jp`, { name, price: 1500 })).status, 200);
  return documentId;
}

test('a document has a variant for each market', async () => {
  const documentId = await inTwoMarkets('scarf');
  const priceIn = async (query: string): Promise<number> =>
    offerIn((await ask('GET', `/${documentId}${query}`)).body).price;
  assert.deepEqual([await priceIn(''), await priceIn('?market=eu'), await priceIn('?market=jp')], [10, 10, 1500]);
});

test('a list shows one market, or all', async () => {
  await inTwoMarkets('hat');
  const marketsOf = async (query: string): Promise<string[]> =>
    (JSON.parse((await ask('GET', `?filters[name]=hat&sort=price${query}`)).body).data as Offer[]).map(
      ({ market }) => market,
    );
  assert.deepEqual(await marketsOf(''), ['eu']);
  assert.deepEqual(await marketsOf('&market=*'), ['eu', 'jp']);
});

test('drafts are kept market by market', async () => {
  const documentId = await inTwoMarkets('glasses');
  const priceIn = async (query: string): Promise<number> =>
    offerIn((await ask('GET', `/${documentId}?${query}`)).body).price;
  await ask('PUT', `/${documentId}?market=jp&status=draft`, { price: 1800 });
  assert.deepEqual([await priceIn('market=jp'), await priceIn('market=jp&status=draft')], [1500, 1800]);
  assert.equal((await ask('POST', `/${documentId}/publish?market=jp`)).status, 200);
  assert.deepEqual([await priceIn('market=jp'), await priceIn('status=draft')], [1800, 10]);
});

test('deleting in one market leaves the others', async () => {
  const documentId = await inTwoMarkets('cap');
  assert.equal((await ask('DELETE', `/${documentId}?market=jp`)).status, 204);
  assert.equal((await ask('GET', `/${documentId}?market=jp`)).status, 404);
  assert.equal((await ask('GET', `/${documentId}`)).status, 200);
});

test('a market that is not there is refused, with those that are', async () => {
  const { status, body } = await ask('GET', '?market=mars');
  assert.equal(status, 400);
  assert.match(body, /There is no market \\"mars\\"; there are eu, jp/);
});

test('GraphQL has it as an argument', async () => {
  await inTwoMarkets('glove');
  const query = '{ offers(market: "jp", filters: { name: { eq: "glove" } }) { price } }';
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  assert.deepEqual(await response.json(), { data: { offers: [{ price: 1500 }] } });
});
