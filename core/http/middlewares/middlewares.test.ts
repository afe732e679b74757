import request from 'supertest';
import { pluginOf, type TestApplication, testApplication } from '../../testing/test-application';
import type { Method } from '../route';
import { encodingFor } from './compression';
import { security, securityHeaders } from './security';

const long = JSON.stringify({ data: 'x'.repeat(2000) });

const pages = pluginOf('pages', ({ hooks }) =>
  hooks.http.routes.tap('pages', (routes) => {
    const page = (path: string, type: string, body: string | Buffer, method: Method = 'GET') =>
      routes.add({
        method,
        path,
        access: 'open',
        handle(context) {
          context.set('Content-Type', type);
          context.body = body;
        },
      });
    page('/short', 'application/json', '{"data":1}');
    page('/long', 'application/json', long);
    page('/bytes', 'application/json', Buffer.from(long));
    page('/image', 'image/png', Buffer.alloc(4096));
    page('/long', 'application/json', long, 'POST');
    routes.add({
      method: 'GET',
      path: '/fails',
      access: 'open',
      handle: () => {
        throw new Error('x');
      },
    });
  }),
);

let app: TestApplication;
const start = async (middlewares?: unknown): Promise<void> => {
  app = await testApplication({ plugins: [pages], ...(middlewares ? { overrides: { middlewares } } : {}) });
  await app.start();
};
afterEach(() => app?.remove());

const allow = 'access-control-allow-';

describe('cors', () => {
  const configured = (config: object) => start([{ name: 'strapi::cors', config }]);
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
    await start();
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
    await start();
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
    await start();
    expect((await from('https://a.example', '/fails')).headers[`${allow}origin`]).toBe('*');
    expect((await from('https://a.example', '/nowhere')).headers[`${allow}origin`]).toBe('*');
    expect((await request(app.handler).options('/short').set('Origin', 'https://a.example')).status).toBe(200);
  });

  test('it can be switched off', async () => {
    await configured({ enabled: false });
    expect((await from('https://a.example')).headers[`${allow}origin`]).toBeUndefined();
  });
});

describe('security', () => {
  const headersWith = (given: object) =>
    Object.fromEntries(securityHeaders(security.options!.parse(given) as Parameters<typeof securityHeaders>[0]));

  test('careful headers on every answer, errors too', async () => {
    await start();
    for (const path of ['/short', '/fails', '/nowhere']) {
      expect((await request(app.handler).get(path)).headers).toMatchObject({
        'content-security-policy':
          "connect-src 'self' https:;img-src 'self' data: blob:;media-src 'self' data: blob:;default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action 'self';frame-ancestors 'self';object-src 'none';script-src 'self';script-src-attr 'none';style-src 'self' https: 'unsafe-inline'",
        'referrer-policy': 'no-referrer',
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'x-content-type-options': 'nosniff',
        'x-dns-prefetch-control': 'off',
        'x-download-options': 'noopen',
        'x-frame-options': 'SAMEORIGIN',
        'x-permitted-cross-domain-policies': 'none',
      });
    }
  });

  test('each header can be changed or left out', () => {
    const off = {
      contentSecurityPolicy: false,
      referrerPolicy: false,
      hsts: false,
      noSniff: false,
      dnsPrefetchControl: false,
      ieNoOpen: false,
      frameguard: false,
      permittedCrossDomainPolicies: false,
    };
    expect(headersWith(off)).toEqual({});
    expect(
      headersWith({
        ...off,
        hsts: { maxAge: 5, includeSubDomains: false, preload: true },
        frameguard: { action: 'deny' },
        referrerPolicy: { policy: ['origin', 'same-origin'] },
        crossOriginOpenerPolicy: true,
        xssFilter: true,
      }),
    ).toEqual({
      'Strict-Transport-Security': 'max-age=5; preload',
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'origin,same-origin',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'X-XSS-Protection': '0',
    });
  });

  test('directives go over the preset ones; null removes one', () => {
    const given = {
      contentSecurityPolicy: {
        useDefaults: true,
        directives: {
          'img-src': ["'self'", 'cdn.example'],
          mediaSrc: null,
          upgradeInsecureRequests: null,
          workerSrc: 'blob:',
        },
      },
    };
    const policy = headersWith(given)['Content-Security-Policy']!;
    expect(policy).toContain("img-src 'self' cdn.example;");
    expect(policy).toContain(';worker-src blob:');
    expect(policy).not.toMatch(/media-src|upgrade/);
    expect(
      headersWith({
        contentSecurityPolicy: { useDefaults: false, reportOnly: true, directives: { 'default-src': "'none'" } },
      })['Content-Security-Policy-Report-Only'],
    ).toBe("default-src 'none'");
  });

  test('it is left out where the list leaves it out', async () => {
    await start(['strapi::cors', { name: 'strapi::responseHeaders', config: { headers: { 'X-Team': 'blue' } } }]);
    const { headers } = await request(app.handler).get('/short');
    expect([headers['content-security-policy'], headers['x-team']]).toEqual([undefined, 'blue']);
  });
});

describe('etag', () => {
  const ask = (tag: string, path = '/long') => request(app.handler).get(path).set('If-None-Match', tag);

  test('the same answer has the same tag, another has another', async () => {
    await start();
    const tags = await Promise.all(
      ['/long', '/long', '/bytes', '/short'].map(async (path) => (await request(app.handler).get(path)).headers.etag),
    );
    expect(tags[0]).toMatch(/^W\/"[\w-]+"$/);
    expect(tags[1]).toBe(tags[0]);
    expect(tags[2]).toBe(tags[0]);
    expect(tags[3]).not.toBe(tags[0]);
  });

  test('what the client has is not sent again', async () => {
    await start();
    const tag = (await request(app.handler).get('/long')).headers.etag!;
    for (const given of [tag, tag.replace('W/', ''), `"other", ${tag}`, '*']) {
      const answer = await ask(given).set('Accept-Encoding', 'gzip');
      expect([
        answer.status,
        answer.text,
        answer.headers.etag,
        answer.headers.vary,
        answer.headers['content-type'],
      ]).toEqual([304, '', tag, 'Accept-Encoding', undefined]);
    }
    expect((await request(app.handler).head('/long').set('If-None-Match', tag)).status).toBe(304);
    expect((await ask('"other"')).status).toBe(200);
    expect((await ask(tag).set('Cache-Control', 'no-cache')).status).toBe(200);
  });

  test('writes and failures have none', async () => {
    await start();
    expect((await request(app.handler).post('/long').set('If-None-Match', '*')).status).toBe(200);
    for (const path of ['/fails', '/nowhere']) {
      const answer = await ask('*', path);
      expect([answer.status >= 400, answer.headers.etag]).toEqual([true, undefined]);
    }
  });

  test('it can be switched off', async () => {
    await start([{ name: 'heddle::etag', config: { enabled: false } }]);
    expect((await request(app.handler).get('/long')).headers.etag).toBeUndefined();
  });
});

describe('compression', () => {
  const raw = (path: string, accepted: string) =>
    request(app.handler)
      .get(path)
      .set('Accept-Encoding', accepted)
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        (response as unknown as NodeJS.ReadableStream)
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => done(null, Buffer.concat(chunks)));
      });

  test.each(['/long', '/bytes'])('%s is packed as the client likes it', async (path) => {
    await start();
    const gzip = await request(app.handler).get(path).set('Accept-Encoding', 'gzip');
    expect([gzip.headers['content-encoding'], gzip.headers.vary, gzip.text]).toEqual(['gzip', 'Accept-Encoding', long]);
    expect(Number(gzip.headers['content-length'])).toBeLessThan(long.length / 10);
    const plain = await raw(path, 'identity');
    expect([plain.headers['content-encoding'], plain.headers.vary, String(plain.body)]).toEqual([
      undefined,
      'Accept-Encoding',
      long,
    ]);
  });

  test('brotli is preferred', async () => {
    await start();
    const listener = await app.listen(0);
    const answer = await fetch(`${listener.url}/long`, { headers: { 'Accept-Encoding': 'gzip, br' } });
    expect(answer.headers.get('content-encoding')).toBe('br');
    expect(await answer.text()).toBe(long);
  });

  test('short answers, images and HEAD are left alone', async () => {
    await start();
    const short = await raw('/short', 'gzip');
    expect([short.headers['content-encoding'], short.headers.vary]).toEqual([undefined, undefined]);
    expect((await raw('/image', 'gzip')).headers['content-encoding']).toBeUndefined();
    expect((await request(app.handler).head('/long').set('Accept-Encoding', 'gzip')).headers['content-length']).toBe(
      String(long.length),
    );
  });

  test('it can be configured like in existing projects, or switched off', async () => {
    await start([{ name: 'strapi::compression', config: { br: false, threshold: 1 } }]);
    expect((await raw('/short', 'br, gzip')).headers['content-encoding']).toBe('gzip');
    await app.remove();
    await start([{ name: 'heddle::compression', config: { enabled: false } }]);
    expect((await raw('/long', 'br, gzip')).headers['content-encoding']).toBeUndefined();
  });

  test.each([
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['identity', undefined],
    ['', undefined],
    ['GZIP ; q=0.5', 'gzip'],
    ['gzip;q=nonsense, br;q=0', 'gzip'],
  ])('Accept-Encoding: %s → %s', (header, encoding) => {
    expect(encodingFor(header, ['br', 'gzip'])).toBe(encoding);
  });
});
