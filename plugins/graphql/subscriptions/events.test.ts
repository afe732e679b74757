import { fullKey } from '../../users-permissions/app.fixture';
import { begun, type Heard, type Served, served } from './subscribed-app.fixture';

let site: Served;
beforeAll(async () => {
  site = await served();
});
afterEach(() => site.leave());
afterAll(() => site.remove());

test('what is created, updated, deleted and published is told, read as by itself', async () => {
  let documentId = '';
  expect(
    await site.heardOf('subscription { noteCreated { documentId t: text tags { name } } }', async () => {
      ({ documentId } = await site.write('post', '/api/notes', { text: 'one' }));
    }),
  ).toEqual({ data: { noteCreated: { documentId, t: 'one', tags: [] } } });
  expect(
    await site.heardOf(`subscription { noteUpdated(documentId: "${documentId}") { text } }`, async () => {
      await site.write('post', '/api/notes', { text: 'other' });
      await site.write('put', `/api/notes/${documentId}`, { text: 'two' });
    }),
  ).toEqual({ data: { noteUpdated: { text: 'two' } } });
  expect(
    await site.heardOf('subscription { noteDeleted { documentId } }', () =>
      site.write('delete', `/api/notes/${documentId}`),
    ),
  ).toEqual({ data: { noteDeleted: { documentId } } });
});

test('a draft is told to who asks for drafts, and publishing is told', async () => {
  let documentId = '';
  const told: Heard[] = [];
  expect(
    await site.heardOf('subscription { storyCreated(status: DRAFT) { title } }', async () => {
      const published = await begun(site.client(fullKey), 'subscription { storyCreated { title } }');
      published.next().then((value) => told.push(value));
      ({ documentId } = await site.write('post', '/api/stories?status=draft', { title: 'A' }));
    }),
  ).toEqual({ data: { storyCreated: { title: 'A' } } });
  expect(
    await site.heardOf('subscription { storyPublished { title } }', () =>
      site.write('put', `/api/stories/${documentId}?status=published`, { title: 'B' }),
    ),
  ).toEqual({ data: { storyPublished: { title: 'B' } } });
  expect(
    await site.heardOf('subscription { storyPublished { title } }', () =>
      site.app.agent
        .post(`/api/stories/${documentId}/publish`)
        .set('Authorization', `Bearer ${fullKey}`)
        .send({})
        .expect(200),
    ),
  ).toEqual({ data: { storyPublished: { title: 'B' } } });
  expect(told).toEqual([]);
});

test('nothing is told of a write that failed', async () => {
  const told = await site.heardOf('subscription { noteCreated { text } }', async () => {
    const refused = await site.app.post('/api/notes', { data: { text: 5 } }, fullKey);
    expect(refused.status).toBe(400);
    await site.write('post', '/api/notes', { text: 'good' });
  });
  expect(told).toEqual({ data: { noteCreated: { text: 'good' } } });
});

test('without the option there is no type Subscription, and no connection', async () => {
  const none = await served(false);
  try {
    const { body } = await none.app.post('/graphql', { query: 'subscription { noteCreated { text } }' }, fullKey);
    expect(body.errors[0].message).toContain('Schema is not configured to execute subscription');
    expect(
      (await none.app.post('/graphql', { query: '{ __type(name: "Subscription") { name } }' }, fullKey)).body,
    ).toEqual({
      data: { __type: null },
    });
  } finally {
    await none.remove();
  }
});
