import request from 'supertest';
import { pagesApp } from './pages.fixture';

const app = pagesApp();
const allow = 'access-control-allow-';

describe('cors', () => {
  const configured = (config: object) => app.start([{ name: 'strapi::cors', config }]);
  const from = (origin: string | undefined, path = '/short') => {
    const asked = request(app.handler).get(path);
    return origin === undefined ? asked : asked.set('Origin', origin);
  };
  const preflight = (origin: string, path = '/short') =>
    request(app.handler)
      .options(path)
      .set('Origin', origin)
      .set('Access-Control-Request-Method', 'PUT')
      .set('Access-Control-Request-Headers', 'x-evil');

  test('everyone may read, nobody with credentials, unless configured', async () => {
    await app.start();
    for (const origin of ['https://a.example', 'null', undefined]) {
      const { headers } = await from(origin);
      expect(headers[`${allow}origin`]).toBe('*');
      expect(headers[`${allow}credentials`]).toBeUndefined();
      expect(headers.vary).toBeUndefined();
    }
  });

  test('credentials asked for together with * are not given', async () => {
    await configured({ origin: '*', credentials: true });
    const { headers } = await from('https://a.example');
    expect([headers[`${allow}origin`], headers[`${allow}credentials`]]).toEqual(['*', undefined]);
  });

  test.each([[['https://a.example', 'https://b.example']], ['https://a.example, https://b.example']])(
    'listed origins, and only they, get themselves and credentials: %j',
    async (origin) => {
      await configured({ origin });
      const listed = await from('https://b.example');
      expect([listed.headers[`${allow}origin`], listed.headers[`${allow}credentials`], listed.headers.vary]).toEqual([
        'https://b.example',
        'true',
        'Origin',
      ]);
      for (const stranger of ['https://b.example.evil', 'https://B.example', 'null', undefined]) {
        const { headers } = await from(stranger);
        expect([headers[`${allow}origin`], headers[`${allow}credentials`], headers.vary]).toEqual([
          undefined,
          undefined,
          'Origin',
        ]);
      }
    },
  );

  test('beside a listed origin, * means everyone without credentials', async () => {
    await configured({ origin: ['https://a.example', '*'] });
    expect((await from('https://a.example')).headers[`${allow}credentials`]).toBe('true');
    const { headers } = await from('https://z.example');
    expect([headers[`${allow}origin`], headers[`${allow}credentials`]]).toEqual(['*', undefined]);
  });

  test('credentials can be switched off', async () => {
    await configured({ origin: ['https://a.example'], credentials: false });
    expect((await from('https://a.example')).headers[`${allow}credentials`]).toBeUndefined();
  });

  test('a function decides per request', async () => {
    await configured({
      origin: async (context: { path: string }) => (context.path === '/short' ? 'https://a.example' : []),
    });
    expect((await from('https://a.example')).headers[`${allow}origin`]).toBe('https://a.example');
    expect((await from('https://b.example')).headers[`${allow}origin`]).toBeUndefined();
    expect((await from('https://a.example', '/long')).headers[`${allow}origin`]).toBeUndefined();
  });

  test('a preflight is answered without a route, with a fixed list of headers', async () => {
    await app.start();
    const { status, headers, text } = await preflight('https://a.example', '/nowhere');
    expect([status, text]).toEqual([204, '']);
    expect(headers).toMatchObject({
      [`${allow}origin`]: '*',
      [`${allow}methods`]: 'GET,POST,PUT,PATCH,DELETE,HEAD,OPTIONS',
      [`${allow}headers`]: 'Content-Type,Authorization,Origin,Accept',
      'access-control-max-age': '31536000',
    });
  });

  test('a stranger’s preflight allows nothing', async () => {
    await configured({ origin: ['https://a.example'], methods: ['GET'], headers: 'X-A', maxAge: 5, expose: ['X-B'] });
    const { status, headers } = await preflight('https://evil.example');
    expect([status, Object.keys(headers).filter((name) => name.startsWith('access-control'))]).toEqual([204, []]);
    const listed = await preflight('https://a.example');
    expect([
      listed.headers[`${allow}methods`],
      listed.headers[`${allow}headers`],
      listed.headers['access-control-max-age'],
    ]).toEqual(['GET', 'X-A', '5']);
    expect((await from('https://a.example')).headers['access-control-expose-headers']).toBe('X-B');
  });

  test('errors and unknown paths carry the headers, too; OPTIONS without a method asked for is no preflight', async () => {
    await app.start();
    expect((await from('https://a.example', '/fails')).headers[`${allow}origin`]).toBe('*');
    expect((await from('https://a.example', '/nowhere')).headers[`${allow}origin`]).toBe('*');
    expect((await request(app.handler).options('/short').set('Origin', 'https://a.example')).status).toBe(200);
  });

  test('it can be switched off', async () => {
    await configured({ enabled: false });
    expect((await from('https://a.example')).headers[`${allow}origin`]).toBeUndefined();
  });
});
