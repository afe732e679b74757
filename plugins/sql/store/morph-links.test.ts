import { fullKey, type UsersApp, usersApp } from '../../users-permissions/app.fixture';
import { relation, schema } from './schemas.fixture';

// Links to documents of any type, and the attributes that show them from the other side.

const seenBy = (name: string) => (side: string, form: string) =>
  relation(form, { target: `api::${name}.${name}`, morphBy: side });
const links = { about: relation('morphToOne'), things: relation('morphToMany') };
const byComment = seenBy('comment');
const byRemark = seenBy('remark');

const files = {
  'src/components/part/box.json': {
    collectionName: 'components_part_boxes',
    info: { displayName: 'box' },
    attributes: { text: { type: 'string' }, about: relation('morphToOne') },
  },
  ...schema('comment', { ...links, box: { type: 'component', component: 'part.box' } }),
  ...schema('post', {
    note: byComment('about', 'morphOne'),
    notes: byComment('about', 'morphMany'),
    pin: byComment('things', 'morphOne'),
    pins: byComment('things', 'morphMany'),
  }),
  ...schema('page', { notes: byComment('about', 'morphMany') }),
  ...schema('remark', links, true),
  ...schema('hint', links),
  ...schema(
    'tale',
    {
      remarks: byRemark('about', 'morphMany'),
      lists: byRemark('things', 'morphMany'),
      hints: seenBy('hint')('things', 'morphMany'),
    },
    true,
  ),
};

let app: UsersApp;
beforeAll(async () => {
  app = await usersApp({ files });
});
afterAll(() => app.remove());

const typed = (name: string, documentId: string) => ({ __type: `api::${name}.${name}`, documentId });

async function make(name: string, data: object = {}): Promise<string> {
  const { body } = await app.post(`/api/${name}s`, { data: { title: name, ...data } }, fullKey).expect(201);
  return body.data.documentId;
}

async function put(name: string, documentId: string, data: object): Promise<void> {
  const request = app.agent.put(`/api/${name}s/${documentId}`).set('Authorization', `Bearer ${fullKey}`);
  await request.send({ data }).expect(200);
}

const titles = (shown: unknown): unknown => {
  if (Array.isArray(shown)) return shown.map(titles);
  return (shown as { title?: string } | null)?.title ?? null;
};

/** The titles of what one document shows. */
async function seen(name: string, documentId: string, status = 'published'): Promise<Record<string, unknown>> {
  const { body } = await app.get(`/api/${name}s/${documentId}?populate=*&status=${status}`, fullKey).expect(200);
  const nested = ['about', 'things', 'note', 'notes', 'pin', 'pins', 'remarks', 'lists'];
  const own = Object.entries(body.data).filter(([key]) => nested.includes(key));
  return Object.fromEntries(own.map(([key, value]) => [key, titles(value)]));
}

test('rows of several types with one number are several, in their order', async () => {
  const [post, page] = [await make('post', { title: 'p' }), await make('page', { title: 'q' })];
  const rows = await Promise.all([app.get(`/api/posts/${post}`, fullKey), app.get(`/api/pages/${page}`, fullKey)]);
  expect(rows.map(({ body }) => body.data.id)).toEqual([1, 1]);
  const comment = await make('comment', { things: [typed('page', page), typed('post', post), typed('page', page)] });
  expect((await seen('comment', comment))['things']).toEqual(['q', 'p']);
  const position = { before: page };
  const moved = { connect: [{ ...typed('post', post), position: { start: true } }] };
  await put('comment', comment, { things: moved });
  expect((await seen('comment', comment))['things']).toEqual(['p', 'q']);
  await put('comment', comment, { things: { disconnect: [typed('page', page)] } });
  expect((await seen('comment', comment))['things']).toEqual(['p']);
  for (const things of [
    [{ documentId: post }],
    [1],
    [{ __type: 'api::none.none', id: 1 }],
    [{ __type: 'part.box', id: 1 }],
    { connect: [{ position }] },
  ])
    expect((await app.post('/api/comments', { data: { things } }, fullKey)).status).toBe(400);
});

test('nobody learns by a link whether there is something that they may not read', async () => {
  await app.grant(['api::comment.comment.create', 'api::post.post.find']);
  const post = await make('post');
  await app.post('/api/comments', { data: { about: typed('post', post), things: [typed('post', post)] } }).expect(201);
  const user = 'plugin::users-permissions.user';
  const told = new Set<string>();
  for (const __type of [user, 'plugin::users-permissions.role', 'api::page.page', 'api::none.none'])
    for (const id of [1, 999])
      for (const data of [{ about: { __type, id } }, { about: { connect: [{ __type, id }] } }])
        told.add((await app.post('/api/comments', { data }).expect(400)).text);
  expect([...told].map((text) => JSON.parse(text).error.message)).toEqual(['Invalid key about']);
});

test('the other side shows, finds, sorts and writes them', async () => {
  const [a, b] = [await make('post', { title: 'a' }), await make('post', { title: 'b' })];
  const [x, y] = [
    await make('comment', { title: 'x', about: typed('post', a) }),
    await make('comment', { title: 'y' }),
  ];
  expect(await seen('post', a)).toEqual({ note: 'x', notes: ['x'], pin: null, pins: [] });
  await put('post', b, { notes: [x, y], pins: { connect: [y, x] } });
  expect(await seen('post', a)).toEqual({ note: null, notes: [], pin: null, pins: [] });
  expect(await seen('post', b)).toEqual({ note: 'x', notes: ['x', 'y'], pin: null, pins: ['y', 'x'] });
  expect(await seen('comment', y)).toEqual({ about: 'b', things: ['b'] });

  const found = async (query: string) => titles((await app.get(`/api/posts?${query}`, fullKey).expect(200)).body.data);
  expect(await found('filters[notes][title]=y')).toEqual(['b']);
  expect(await found('filters[pins][title]=x&filters[note][title]=x')).toEqual(['b']);
  expect(await found('filters[title][$in]=a&filters[title][$in]=b&sort=note.title')).toEqual(['a', 'b']);
  const listed = await app.get(
    `/api/posts/${b}?populate[notes][fields]=title&populate[notes][sort]=title:desc&populate[pins][count]=true`,
    fullKey,
  );
  expect(listed.body.data).toMatchObject({ notes: [{ title: 'y' }, { title: 'x' }], pins: { count: 2 } });

  await put('post', b, { notes: null, pins: [x] });
  expect(await seen('comment', y)).toEqual({ about: null, things: [] });
  await app.agent.delete(`/api/posts/${b}`).set('Authorization', `Bearer ${fullKey}`).expect(204);
  expect(await seen('comment', x)).toEqual({ about: null, things: [] });
});

test('what is linked from both sides is linked once, in every version, and so it stays', async () => {
  const tale = await make('tale', { title: 't' });
  const remark = await make('remark', { title: 'r', things: [typed('tale', tale)] });
  const everywhere = async (ofTale: object, ofRemark: object) => {
    for (const status of ['draft', 'published']) {
      expect(await seen('tale', tale, status)).toEqual(ofTale);
      expect(await seen('remark', remark, status)).toEqual(ofRemark);
    }
  };
  await everywhere({ remarks: [], lists: [] }, { about: null, things: ['t'] });
  await put('tale', tale, { lists: [remark], remarks: [remark] });
  for (const changed of [undefined, 'tale', 'remark', 'tale'] as const) {
    if (changed) await put(changed, changed === 'tale' ? tale : remark, {});
    await everywhere({ remarks: ['r'], lists: ['r'] }, { about: 't', things: ['t'] });
  }
  await put('tale', tale, { remarks: [] });
  await everywhere({ remarks: [], lists: ['r'] }, { about: null, things: ['t'] });
  await put('remark', remark, { about: typed('tale', tale), things: [] });
  await everywhere({ remarks: ['r'], lists: [] }, { about: 't', things: [] });
});

test('a component links to anything, too', async () => {
  const post = await make('post', { title: 'in a box' });
  const comment = await make('comment', { box: { text: 'x', about: typed('post', post) } });
  const { body } = await app.get(`/api/comments/${comment}?populate=box.about`, fullKey).expect(200);
  expect(body.data.box).toMatchObject({ text: 'x', about: { title: 'in a box', __type: 'api::post.post' } });
  expect((await app.get(`/api/posts/${post}?populate=note`, fullKey)).body.data.note).toBeNull();
});

test('what has no versions stays linked to a document that is published again', async () => {
  const tale = await make('tale', { title: 't' });
  const comment = await make('comment', { title: 'c', about: { ...typed('tale', tale), status: 'published' } });
  await put('tale', tale, { title: 'again' });
  expect((await seen('comment', comment))['about']).toBe('again');
});

test('a list that was cleared from the other side stays empty in the version that is made anew', async () => {
  const tale = await make('tale', { title: 't' });
  const remark = await make('remark', { title: 'r' });
  const comment = await make('comment', { title: 'c', things: [{ ...typed('tale', tale), status: 'published' }] });
  await put('tale', tale, { lists: [remark] });
  expect(await seen('tale', tale)).toEqual({ remarks: [], lists: ['r'] });
  await put('tale', tale, { lists: [] });
  expect(await seen('tale', tale)).toEqual({ remarks: [], lists: [] });
  expect(await seen('tale', tale, 'draft')).toEqual({ remarks: [], lists: [] });
  expect(await seen('remark', remark)).toEqual({ about: null, things: [] });
  expect((await seen('comment', comment))['things']).toEqual(['t']);
});

test('who links a draft that a list of its published version has shown links what is published anew', async () => {
  const tale = await make('tale', { title: 't' });
  const hint = await make('hint', { title: 'h' });
  const things = [typed('tale', tale)];
  await put('tale', tale, { hints: [hint] });
  await app.agent
    .put(`/api/tales/${tale}?status=draft`)
    .set('Authorization', `Bearer ${fullKey}`)
    .send({ data: { hints: [] } })
    .expect(200);
  await put('hint', hint, { things });
  await put('tale', tale, {});
  expect((await seen('hint', hint))['things']).toEqual(['t']);
});
