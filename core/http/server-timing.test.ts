import request from 'supertest';
import { testApplication } from '../testing/test-application';
import { currentTiming } from '../timing';
import { get, routesOf } from './items-app.fixture';

const routes = routesOf('timed', [
  get('/api/marked', (context) => {
    currentTiming()?.mark('sign');
    context.body = {};
  }),
  get('/api/broken', () => {
    throw new Error('broken');
  }),
]);

async function timingsIn(NODE_ENV: string | undefined, server: object = {}): Promise<(string | undefined)[]> {
  const env = NODE_ENV === undefined ? {} : { NODE_ENV };
  const log = { level: 'silent' };
  const app = await testApplication({ plugins: [routes], env, overrides: { server: { logger: log, ...server } } });
  try {
    await app.start();
    const answers = [];
    for (const path of ['/api/marked', '/api/broken', '/api/none']) answers.push(await request(app.handler).get(path));
    expect(answers.map(({ status }) => status)).toEqual([200, 500, 404]);
    return answers.map(({ headers }) => headers['server-timing']);
  } finally {
    await app.remove();
  }
}

const told = [
  expect.stringMatching(/^sign;dur=\d+\.\d{3}, render;dur=\d+\.\d{3}, total;dur=\d+\.\d{3}$/),
  ...[1, 2].map(() => expect.stringMatching(/^total;dur=\d+\.\d{3}$/)),
];
const untold = [undefined, undefined, undefined];

test('every answer tells its times in development, failures included', async () => {
  expect(await timingsIn('development')).toEqual(told);
});

test.each(['production', 'test', undefined])('no answer tells them where NODE_ENV is %s', async (environment) => {
  expect(await timingsIn(environment)).toEqual(untold);
});

test('config/server says otherwise', async () => {
  expect(await timingsIn('production', { serverTiming: true })).toEqual(told);
  expect(await timingsIn('development', { serverTiming: false })).toEqual(untold);
});
