import { type TestApplication, testApplication } from '../testing/test-application';
import { get, routesOf } from './items-app.fixture';

// Whose address a client has, as `X-Forwarded-For` tells it.

const telling = routesOf('telling', [
  get('/address', (context) => {
    context.body = { ip: context.ip };
  }),
]);

let app: TestApplication | undefined;

async function start(server: object): Promise<{ url: string }> {
  app = await testApplication({ plugins: [telling], overrides: { server } });
  return app.listen(0);
}
afterEach(() => app?.remove());

const ipWith = async (proxy: unknown, forwarded = '9.9.9.9'): Promise<string> => {
  const { url } = await start(proxy === undefined ? {} : { proxy });
  const answer = await fetch(`${url}/address`, { headers: { 'X-Forwarded-For': forwarded } });
  const { ip } = (await answer.json()) as { ip: string };
  return ip.replace('::ffff:', '');
};

test.each([
  [undefined, '127.0.0.1'],
  [false, '127.0.0.1'],
  [true, '9.9.9.9'],
  [{ koa: true }, '9.9.9.9'],
  [{ global: 'http://proxy.example' }, '127.0.0.1'],
  [['127.0.0.1'], '9.9.9.9'],
  [['127.0.0.0/8', '::1'], '9.9.9.9'],
  [['10.0.0.0/8'], '127.0.0.1'],
])('proxy: %j → %s', async (proxy, ip) => {
  expect(await ipWith(proxy)).toBe(ip);
});

test.each([
  ['9.9.9.9, 8.8.8.8', '8.8.8.8'],
  ['9.9.9.9, 8.8.8.8, 10.0.0.1', '8.8.8.8'],
  ['9.9.9.9,8.8.8.8,10.0.0.1,::ffff:10.0.0.2', '8.8.8.8'],
  ['10.0.0.1, 10.0.0.2', '10.0.0.1'],
])('behind proxies that are listed, a client can not put itself elsewhere: %s → %s', async (forwarded, ip) => {
  expect(await ipWith(['127.0.0.0/8', '10.0.0.0/8'], forwarded)).toBe(ip);
});

test.each(['localhost', '10.0.0.1/', '10.0.0.0/33', '10.0.0.0/x', '10.0.0.0/8/8', '::1/129', '/8'])(
  'an address that is none is refused: %s',
  async (entry) => {
    await expect(testApplication({ overrides: { server: { proxy: [entry] } } })).rejects.toThrow(
      `config/server proxy: "${entry}" is neither an address nor a network.`,
    );
  },
);
