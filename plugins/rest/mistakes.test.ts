import { things, thingsApp } from './things-app.fixture';

const app = thingsApp();

describe('of several mistakes the first is told: keys, forms, pages, values', () => {
  const key = 'Invalid key nope';
  const lookup = "Invalid params: 'lookup'";
  const order = 'Invalid order. order can only be one of asc|desc|ASC|DESC';
  const form = 'The filters parameter must be an object or an array';
  const fields = 'Invalid fields parameter. Expected a string or an array of strings';
  const misplaced = 'Invalid pagination attributes.';
  const mixed = 'Cannot use both page & offset';
  const start = 'convertStartQueryParams expected';

  test.each([
    ['lookup=1&filters[nope]=1', key],
    ['populate=nope&lookup=1', key],
    ['page=1&filters[nope]=1', key],
    ['filters=x&sort=nope', key],
    ['fields[x]=1&sort=nope', key],
    ['sort=name:x&fields=nope', key],
    ['filters[stock][$between]=x&sort=nope', key],
    ['filters[stock][$between]=x&pagination[page]=x', start],
    ['filters[stock][$between]=x&pagination[withCount]=x', 'A filter on numbers'],
    ['page=1&lookup=x', lookup],
    ['filters=x&lookup=1', lookup],
    ['filters=x&page=1', misplaced],
    ['fields[a]=name&page=1', misplaced],
    ['sort=name:up&pagination[page]=1&pagination[start]=1', mixed],
    ['sort=name:up&pagination[page]=x', order],
    ['filters=x&sort=name:up', order],
    ['fields[x]=1&sort=name:x', order],
    ['fields[x]=1&filters=x', form],
    ['filters=x&pagination[page]=x', form],
    ['fields[x]=1&pagination[page]=x', fields],
    ['pagination[withCount]=x&pagination[page]=x', start],
    ['filters[stock]=x&pagination[page]=x', start],
    ['pagination[withCount]=x&filters[stock]=abc', 'A filter on numbers'],
  ])('%s', async (query, message) => {
    const { status, body } = await app.agent.get(`${things}?${query}`);
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(message)]);
  });
});

describe('queries of writes', () => {
  test('wrong keys are told before the body is looked at, and nothing is done', async () => {
    const { documentId } = await app.add(things, { name: 'a' });
    const unfit = 'filters[stock][$between]=x';
    for (const query of ['filters[nope]=1', 'sort=nope', 'fields=nope', 'populate=nope', 'lookup=x', unfit]) {
      expect([query, (await app.agent.post(`${things}?${query}`).send({})).status]).toEqual([query, 400]);
      expect([
        query,
        (await app.agent.put(`${things}/${documentId}?${query}`).send({ data: { name: 'b' } })).status,
      ]).toEqual([query, 400]);
      expect([query, (await app.agent.delete(`${things}/${documentId}?${query}`)).status]).toEqual([query, 400]);
    }
    expect((await app.agent.get(things)).body.data).toMatchObject([{ name: 'a' }]);
  });

  test('fields shape the answer, pages are ignored, filters limit a deletion', async () => {
    const made = await app.agent
      .post(`${things}?fields=name&pagination[page]=x&page=1&_q=nope`)
      .send({ data: { name: 'a' } });
    expect([made.status, made.body.data]).toEqual([
      201,
      { id: expect.any(Number), documentId: expect.any(String), name: 'a' },
    ]);
    const at = `${things}/${made.body.data.documentId}`;
    expect((await app.agent.delete(`${at}?filters[name]=b`)).status).toBe(204);
    expect((await app.agent.delete(`${at}?_q=%25`)).status).toBe(204);
    expect((await app.agent.get(at)).status).toBe(200);
    expect((await app.agent.delete(`${at}?filters[name]=a`)).status).toBe(204);
    expect((await app.agent.get(at)).status).toBe(404);
  });
});

describe('lists and words where something else belongs name the key all the same', () => {
  test.each([
    ['sort[nope][0]=asc', 'nope', null, 'sort'],
    ['sort[nope]=asc&sort[nope]=desc', 'nope', null, 'sort'],
    ['sort[$and][0][name]=asc', '$and', null, 'sort'],
    ['sort[0][name]=asc&sort[1]=sku', '0', null, 'sort'],
    ['sort=name&sort[sku]=asc', '0', null, 'sort'],
    ['sort[0]=name&sort[1]', '0', null, 'sort'],
    ['populate[friend][sort][nope][0]=asc', 'nope', null, 'populate'],
    ['populate[friend][sort][0][name]=asc&populate[friend][sort][1]=sku', '0', null, 'populate'],
    ['populate[count]=*', 'count', null, 'populate'],
    ['populate[count]=', 'count', null, 'populate'],
    ['populate[on][nope]=true', 'nope', 'on.nope', 'populate'],
    ['populate[on][fields][0]=name', 'fields', 'on.fields', 'populate'],
  ])('%s', async (query, key, path, param) => {
    const { status, body } = await app.agent.get(`${things}?${query}`);
    expect([status, body.error?.details]).toEqual([400, { key, path, source: 'query', param }]);
  });

  test.each(['sort[name][0]=desc', 'sort[0][0]=nope', 'sort[]', 'populate[count]=true', 'populate[count]=0'])(
    '%s means nothing',
    async (query) => {
      for (const name of ['a', 'b']) await app.add(things, { name });
      const { body } = await app.agent.get(`${things}?${query}`);
      expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['a', 'b']);
    },
  );
});
