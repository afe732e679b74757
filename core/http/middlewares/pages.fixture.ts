import { pluginOf, type TestApplication, testApplication } from '../../testing/test-application';
import type { Method } from '../route';

// For tests: an application of a few pages, with the middlewares that a test configures.

export const long = JSON.stringify({ data: 'x'.repeat(2000) });

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

export interface Pages extends Pick<TestApplication, 'handler' | 'listen' | 'remove'> {
  start(middlewares?: unknown): Promise<void>;
}

/** Started by each test, removed after it. */
export function pagesApp(): Pages {
  let app: TestApplication | undefined;
  afterEach(() => app?.remove());
  return {
    get handler() {
      return app!.handler;
    },
    listen: (...at) => app!.listen(...at),
    remove: () => app!.remove(),
    async start(middlewares) {
      app = await testApplication({ plugins: [pages], ...(middlewares ? { overrides: { middlewares } } : {}) });
      await app.start();
    },
  };
}
