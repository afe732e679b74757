import request from 'supertest';
import { pagesApp } from './pages.fixture';
import { security, securityHeaders } from './security';

const app = pagesApp();

describe('security', () => {
  const headersWith = (given: object) =>
    Object.fromEntries(securityHeaders(security.options!.parse(given) as Parameters<typeof securityHeaders>[0]));

  test('careful headers on every answer, errors too', async () => {
    await app.start();
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
    await app.start(['strapi::cors', { name: 'strapi::responseHeaders', config: { headers: { 'X-Team': 'blue' } } }]);
    const { headers } = await request(app.handler).get('/short');
    expect([headers['content-security-policy'], headers['x-team']]).toEqual([undefined, 'blue']);
  });
});
