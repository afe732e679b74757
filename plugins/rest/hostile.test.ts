import { type RestApp, restApp, schema, schemaFile } from './rest-app.fixture';

const files = {
  [schemaFile('thing')]: schema(
    'thing',
    {
      name: { type: 'string' },
      stock: { type: 'integer' },
      extra: { type: 'json' },
      note: { type: 'string', private: true },
      code: { type: 'integer', private: true },
      listed: { type: 'string' },
      everywhere: { type: 'string' },
      pin: { type: 'password' },
    },
    { options: { privateAttributes: ['listed'] } },
  ),
};
const things = '/api/things';
// A hyphen near the start, and a number below zero, so that a search for them finds no document by its id.
const secret = 'S3-cretV4lue';
const code = -4711;

/** An application with two things, and where one of them is. */
async function shopApp(): Promise<{ app: RestApp; at: string }> {
  const app = await restApp(files, { api: { responses: { privateAttributes: ['everywhere'] } } });
  const data = { name: 'Anvil', note: secret, code, listed: secret, everywhere: secret, pin: secret };
  const at = `${things}/${(await app.add(things, data))['documentId']}`;
  await app.add(things, { name: 'Box' });
  return { app, at };
}

let app: RestApp;
let at: string;
beforeAll(async () => {
  ({ app, at } = await shopApp());
});
afterAll(() => app.remove());

const get = (query: string, path = things) => app.agent.get(`${path}?${query}`);

describe('hidden attributes', () => {
  const hidden = ['note', 'code', 'listed', 'everywhere', 'pin'];
  // As JSON spells them: the letters of a name may be in a document's id.
  const tells = [...hidden.map((name) => `"${name}"`), secret, `:${code}`];

  test('are in no answer, however it is asked for', async () => {
    for (const query of ['', 'fields=*', 'populate=*', 'fields=name', 'sort=name', '_q=Anvil']) {
      for (const path of [things, at]) {
        const { status, text } = await get(query, path);
        expect([query, status]).toEqual([query, 200]);
        for (const part of tells) expect(text).not.toContain(part);
      }
    }
    for (const call of [app.agent.post(things), app.agent.put(at)]) {
      const { text } = await call.send({
        data: { name: 'Anvil', note: secret, code, listed: secret, everywhere: secret, pin: secret },
      });
      for (const part of tells) expect(text).not.toContain(part);
    }
    const older = await app.agent.get(things).set('Strapi-Response-Format', 'v4');
    for (const part of tells) expect(older.text).not.toContain(part);
  });

  test.each(hidden)('%s can not be asked about: two probes, one right and one wrong, get one answer', async (name) => {
    const probes = [
      (value: string) => `filters[${name}]=${value}`,
      (value: string) => `filters[${name}][$startsWith]=${value}`,
      (value: string) => `filters[${name}][$null]=${value === secret}`,
      (value: string) => `filters[$or][0][${name}][$eq]=${value}`,
      (value: string) => `filters[$and][0][$not][${name}][$contains]=${value}`,
      (value: string) => `filters[$or][0][name]=Anvil&filters[$or][1][${name}][$in][0]=${value}`,
      (value: string) => `filters[${name}][${value}]=x`,
      (value: string) => `sort=${name}:${value === secret ? 'asc' : 'desc'}`,
      (value: string) => `sort[0][${name}]=${value === secret ? 'asc' : 'desc'}`,
      (value: string) => `sort=name,${name}&_q=${value}`,
      (value: string) => `fields=${name}&filters[name]=${value}`,
      (value: string) => `fields[0]=${name}&fields[1]=${value === secret ? 'name' : 'stock'}`,
    ];
    for (const probe of probes) {
      for (const path of [things, at]) {
        const [right, wrong] = [await get(probe(secret), path), await get(probe('S3X'), path)];
        expect([probe(''), right.status, right.text]).toEqual([probe(''), 400, wrong.text]);
      }
    }
  });

  test('search does not look at them', async () => {
    for (const text of [secret, secret.slice(0, 3), `${code}`]) {
      expect((await get(`_q=${text}`)).body.meta.pagination.total).toBe(0);
      expect((await get(`_q=${text}`, at)).status).toBe(404);
    }
  });

  test('a refused write does not tell what is there', async () => {
    const answer = await app.agent.put(at).send({ data: { name: 5 } });
    expect(answer.text).not.toContain(secret);
  });
});

describe('parameters that reach into tables elsewhere', () => {
  test.each([
    'where[name]=x',
    '_where[name]=x',
    'start=1',
    'limit=1',
    'select=note',
    'groupBy=note',
    'orderBy=note',
    'documentId=x',
    'data=x',
    'plugins[x]=y',
  ])('%s is ignored', async (query) => expect((await get(query)).text).toBe((await get('')).text));

  test.each(['lookup[updatedBy][password][$startsWith]=a', 'lookup=x', 'lookup[note]=x'])(
    '%s is refused',
    async (query) => {
      const { status, body } = await get(query);
      expect([status, body.error.message, body.error.details]).toEqual([400, "Invalid params: 'lookup'", {}]);
    },
  );

  test.each([
    'filters[updatedBy][resetPasswordToken][$startsWith]=a',
    'filters[$and][0][updatedBy][password][$contains]=a',
    'filters[$or][0][$not][createdBy][id]=1',
    'filters[updatedBy][t1.password][$startsWith]=a',
    'filters[t.note]=a',
    'filters[name"]=a',
    "filters[name'--]=a",
    'filters[name][$eq;drop]=a',
    'filters[extra][a]=1',
    'filters[created_at]=1',
    'filters[document_id]=1',
    'sort=createdBy.password',
    'sort=t.note',
    'sort=note)',
    'sort=name;drop table things',
    "sort=name' desc",
    'sort[note][password]=asc',
    'sort[name]=asc&sort[created_by_id]=asc',
    'sort=name:asc nulls first',
    'fields=created_by_id',
    'fields[0]=count(*)',
    'populate=createdBy',
    'populate[createdBy][fields][0]=password',
    'populate[0]=updatedBy.roles',
    'filters[name][$eq][a]=1',
    'filters[name][$in][0][a]=1',
    'filters[stock][$gt][$eq]=1',
    'filters[name][$contains][0][b]=1',
    '_q[a]=1',
    '_q[]=1',
  ])('%s is refused', async (query) => {
    const { status, body } = await get(query);
    expect([query, status, body.error.name]).toEqual([query, 400, 'ValidationError']);
  });
});

describe('odd query strings', () => {
  /** In milliseconds of the processor: on a busy machine the clock also runs while others have it. */
  const mostTime = 100;
  const asked = async ({ agent }: RestApp, query: string, path: string) => {
    const before = process.cpuUsage();
    const { status } = await agent.get(`${path}?${query}`);
    const { user, system } = process.cpuUsage(before);
    return { status, took: (user + system) / 1000 };
  };
  /** Garbage of whatever came before may be collected just then: what takes long does so in a new application, too. */
  const askedAnew = async (query: string, path: string) => {
    const other = await shopApp();
    try {
      await other.app.agent.get(things);
      return await asked(other.app, query, path === at ? other.at : path);
    } finally {
      await other.app.remove();
    }
  };
  const answered = async (query: string, path = things) => {
    let { status, took } = await asked(app, query, path);
    for (let times = 1; took >= mostTime && times < 3; times += 1) ({ status, took } = await askedAnew(query, path));
    expect(took).toBeLessThan(mostTime);
    expect([200, 400, 404]).toContain(status);
    return status;
  };

  test.each([
    '__proto__[polluted]=1',
    'constructor[prototype][polluted]=1',
    'filters[__proto__][polluted]=1',
    'filters[name][__proto__]=1',
    'filters[constructor][prototype][polluted]=1',
    'filters[name][constructor]=x',
    'sort[__proto__]=asc',
    'sort=__proto__',
    'sort=constructor:asc',
    'fields=__proto__',
    'fields[0]=constructor',
    'pagination[__proto__][page]=1',
    'populate[__proto__]=1',
    'populate=__proto__',
    '%',
    '%E0%A4%A',
    'filters[name]=%FF',
    'filters[name]=%00',
    'filters[name]=%ED%A0%80',
    'filters[%00]=1',
    '&&&',
    '=x',
    '[]=x',
    '[name]=x',
    'filters',
    'filters[]',
    'filters[]=x',
    'filters[0][name]=x',
    'filters[name',
    'filters[name=',
    'filters[[name]]=x',
    'filters[name]]=x',
    'filters=x&filters[name]=y',
    'filters[name]=x&filters=y',
    'filters[name]=x&filters[name][$eq]=y',
    'filters[$or]=x',
    'filters[$or][x][name]=y',
    'filters[$or][-1][name]=y',
    'filters[$and][name]=x',
    'filters[$not]=x',
    'filters[name][$between]=1',
    'filters[stock][$between][0]=1&filters[stock][$between][101]=2',
    'filters[id]=99999999999999999999999',
    'filters[id][$in][]=x&filters[id][$in][]=NaN',
    'filters[stock]=0x',
    'sort[name][0]=asc',
    'sort=name&sort[stock]=desc',
    'sort[0][0][0]=name',
    'pagination[page][0]=1',
    'pagination[page][a]=1',
    'pagination[start]=1e308',
    'pagination[page]=1e308&pagination[pageSize]=100',
    'pagination[limit][]=1&pagination[limit][]=2',
    'populate[a][populate][b]=1',
    'populate',
    'fields',
    'fields[a]=name',
    '_q=%25_%5C',
  ])('%s', async (query) => {
    await answered(query);
    await answered(query, at);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('deep ones', async () => {
    const deep = (times: number, part: string) => part.repeat(times);
    expect(await answered(`filters${deep(19, '[$not]')}[name]=x`)).toBe(200);
    expect(await answered(`filters${deep(9, '[$and][0]')}[name]=x`)).toBe(200);
    for (const times of [20, 21, 50, 1_000]) {
      expect(await answered(`filters${deep(times, '[$not]')}[name]=x`)).toBe(400);
      expect(await answered(`filters${deep(times, '[$and][0]')}[name]=x`)).toBe(400);
      await answered(`sort${deep(times, '[a]')}=x`);
      await answered(`populate${deep(times, '[a]')}=x`);
      await answered(`filters[name]${deep(times, '[$not]')}=x`);
      await answered(`${deep(times, '[')}=x`);
      await answered(`filters${deep(times, '[')}=x`);
    }
  });

  test('long ones', async () => {
    const many = (count: number, part: (index: number) => string) =>
      Array.from({ length: count }, (_, index) => part(index)).join('&');
    const longest = (text: string) => text.slice(0, 14_000);
    expect(await answered(many(100, (index) => `filters[name][$in][${index}]=v${index}`))).toBe(200);
    expect(await answered(many(101, (index) => `filters[name][$in][]=v${index}`))).toBe(400);
    expect(await answered(`filters[name][$in][100]=x`)).toBe(400);
    await answered(longest(many(1_200, (index) => `a[]=${index}`)));
    await answered(longest(many(1_200, (index) => `k${index}=1`)));
    await answered(longest(many(900, (index) => `filters[$or][][name]=${index}`)));
    await answered(longest(many(900, (index) => `sort[]=k${index}`)));
    await answered(longest(`sort=${'name,'.repeat(4_000)}`));
    await answered(longest(`fields=${'name,'.repeat(4_000)}name`));
    await answered(longest(`_q=${'%25'.repeat(4_000)}`));
    await answered(longest(`filters[name][$containsi]=${'a%25'.repeat(3_000)}`));
    await answered(longest('%5B'.repeat(4_000)));
    await answered(longest('filters[name]='.concat('%E0'.repeat(4_000))));
    await answered(longest(`filters[${'a'.repeat(13_000)}]=1`));
  });

  test('more parameters than are read', async () => {
    const query = `${'a&'.repeat(1_000)}filters[name]=Box`;
    expect([200, 400]).toContain((await get(query)).status);
  });

  test('after all of that, what is there is still there', async () => {
    expect((await get('sort=id')).body.data.map(({ name }: { name: string }) => name).slice(0, 2)).toEqual([
      'Anvil',
      'Box',
    ]);
  });
});

test('paths that are none', async () => {
  for (const path of [
    `${things}/%00`,
    `${things}/${'x'.repeat(5_000)}`,
    `${things}/..%2f..%2fetc`,
    `${things}/'; drop table things--`,
    `${things}/%27`,
    '/api/__proto__',
    '/api/constructor',
  ]) {
    const { status } = await app.agent.get(path);
    expect([path, [400, 404]]).toEqual([path, expect.arrayContaining([status])]);
  }
  expect((await app.agent.get(`${things}/%FF`)).status).toBe(400);
});
