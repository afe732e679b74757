import { type RestApp, restApp, schema, schemaFile } from './rest-app.fixture';

const related = { type: 'relation', relation: 'manyToMany', target: 'api::thing.thing' };
const files = {
  [schemaFile('thing')]: schema('thing', { name: { type: 'string' }, extra: { type: 'json' }, related }),
};

let app: RestApp;
beforeAll(async () => {
  app = await restApp(files, { middlewares: ['heddle::errors', { name: 'heddle::query', config: { depth: 1_000 } }] });
  await app.add('/api/things', { name: 'Anvil' });
});
afterAll(() => app.remove());

const told = async (query: string): Promise<unknown[]> => {
  const { status, body } = await app.agent.get(`/api/things?${query}`);
  return [status, body.error?.message ?? body.data.length];
};
const names = (count: number): string[] => Array.from({ length: count }, () => 'related');

test('filters have at most 100 levels, however deep the brackets may be', async () => {
  const filters = (count: number): string => `filters${'[$and][0]'.repeat(count)}[name]=Anvil`;
  expect(await told(filters(49))).toEqual([200, 1]);
  for (const count of [50, 400])
    expect(await told(filters(count))).toEqual([400, 'Filters have too many levels. The maximum is 100.']);
  const inside = `populate[related][filters]${'[$and][0]'.repeat(50)}[name]=Anvil`;
  expect(await told(inside)).toEqual([400, 'Filters have too many levels. The maximum is 100.']);
});

test('a write is refused for its query before anything is written', async () => {
  const { status } = await app.agent
    .post(`/api/things?filters${'[$or][0]'.repeat(400)}[name]=a`)
    .send({ data: { name: 'Box' } });
  expect([status, await told('filters[name]=Box')]).toEqual([400, [200, 0]]);
});

test('filters and populate go through at most 15 relations inside each other', async () => {
  const filters = (count: number): string => `filters[${names(count).join('][')}][name]=Anvil`;
  const populate = (count: number): string => `populate=${names(count).join('.')}`;
  expect(await told(filters(15))).toEqual([200, 0]);
  expect(await told(populate(15))).toEqual([200, 1]);
  const brackets = (count: number): string => `populate[${names(count).join('][populate][')}]`;
  expect(await told(`${brackets(15)}=true`)).toEqual([200, 1]);
  expect(await told(`${brackets(10)}[populate]=related.related`)).toEqual([200, 1]);
  const message = 'through too many relations inside each other. The maximum is 15.';
  for (const count of [16, 99]) {
    expect(await told(filters(count))).toEqual([400, `Filters go ${message}`]);
    expect(await told(populate(count))).toEqual([400, `Populate goes ${message}`]);
    expect(await told(`populate[0]=${names(count).join('.')}`)).toEqual([400, `Populate goes ${message}`]);
    expect(await told(`${brackets(10)}[populate]=${names(count - 10).join('.')}`)).toEqual([
      400,
      `Populate goes ${message}`,
    ]);
    expect(await told(`${brackets(Math.min(count, 40))}=true`)).toEqual([400, `Populate goes ${message}`]);
  }
});
