import { forbidden, HeddleError, validationError } from '../errors';
import type { Logger } from '../kernel/logger';
import type { AnyPlugin } from '../kernel/plugin';
import { pluginOf, sends, type TestApplication, testApplication } from '../testing/test-application';
import type { Route } from './route';

// For tests: an application whose routes answer, refuse and fail in every way, and what it logs.

export const routesOf = (
  name: string,
  routes: readonly Route[],
  rest: (heddle: Parameters<AnyPlugin['apply']>[0]) => void = () => undefined,
): AnyPlugin =>
  pluginOf(name, (heddle) => {
    heddle.hooks.http.routes.tap(name, (all) => routes.forEach((route) => void all.add(route)));
    rest(heddle);
  });

export const get = (path: string, handle: Route['handle'], rest: Partial<Route> = {}): Route => ({
  method: 'GET',
  path,
  access: 'open',
  handle,
  ...rest,
});

function recordingLog() {
  const lines: { level: string; message: string; [field: string]: unknown }[] = [];
  /** Fields that lines name twice, as pino would write them. */
  const twice: string[] = [];
  function bound(own: object): Logger {
    const joined = (fields: object): object => {
      twice.push(...Object.keys(fields).filter((field) => field in own));
      return { ...own, ...fields };
    };
    const at = (level: string) => (fields: object, message: string) =>
      void lines.push({ level, message, ...joined(fields) });
    return {
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      child: (fields) => bound(joined(fields)),
    };
  }
  return { log: bound({}), lines, twice };
}

const items = routesOf(
  'items',
  [
    get('/api/items', (context) => {
      context.body = { list: true, who: context.state.principal.kind };
    }),
    get('/api/items/:id', (context) => {
      context.body = { id: context.params.id };
    }),
    {
      method: 'POST',
      path: '/api/items',
      access: 'open',
      body: 'json',
      handle: (context) => {
        context.body = { got: context.request.body ?? 'nothing' };
      },
    },
    {
      method: 'PUT',
      path: '/api/only-put',
      access: 'open',
      handle: (context) => {
        context.status = 204;
      },
    },
    get('/api/guarded', sends('in'), { access: { action: 'items.read' } }),
    get('/api/secret', sends('in'), { access: { action: 'items.secret' } }),
    get('/api/scoped', sends('in'), { access: { scope: ['items.read'] } }),
    get('/api/widely-scoped', sends('in'), { access: { scope: ['items.read', 'items.secret'] } }),
    get('/api/policed', sends('in'), {
      policies: ['even-minutes', { name: 'named', config: 'x' }, ({ query }) => query.pass === 'yes'],
    }),
    get('/api/wrapped', sends('in'), {
      middlewares: ['outer', { name: 'inner', config: { size: 2 } }],
    }),
    get('/api/refused', () => {
      throw validationError('Wrong', { key: 'x' });
    }),
    get('/api/forbidden', async () => {
      throw forbidden();
    }),
    get('/api/plain', () => {
      throw new HeddleError('ValidationError', 'Plain');
    }),
    get('/api/crash', () => {
      throw new TypeError('password is hunter2');
    }),
    get('/api/cut-off', () => {
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    }),
    get('/api/unwritable', (context) => {
      context.body = { big: 1n };
    }),
    get('/api/refused-big', () => {
      throw validationError('Wrong', { value: 1n });
    }),
    get('/api/unspoken', () => {
      throw validationError('No tap has an answer');
    }),
    get('/api/rewritten', () => {
      throw new HeddleError('RateLimitError', 'Slow down');
    }),
  ],
  ({ hooks }) => {
    hooks.http.policies.tap('items', (policies) => {
      policies.add('even-minutes', () => true);
      policies.add('named', (_context, config) => config === 'x');
    });
    hooks.http.middlewares.tap('items', (middlewares) => {
      middlewares.add('outer', {
        make: () => async (context, next) => {
          await next();
          context.set('X-Way', `outer ${context.response.get('X-Way')}`);
        },
      });
      middlewares.add('inner', {
        make: (options) => (context, next) => {
          context.set('X-Way', `inner ${JSON.stringify(options)}`);
          return next();
        },
      });
    });
    hooks.http.authenticate.tap('items', ({ req }) => {
      const { authorization } = req.headers;
      if (authorization === 'Bearer crash') throw new Error('no connection');
      if (authorization?.startsWith('Bearer ') && authorization !== 'Bearer good')
        throw new HeddleError('UnauthorizedError', 'Missing or invalid credentials');
      return authorization === 'Bearer good' ? { kind: 'user', rights: 'user' } : undefined;
    });
    hooks.http.authorize.tap('items', ({ principal, action }) =>
      action === 'items.read' && principal.kind === 'user' ? true : undefined,
    );
    hooks.http.error.tap('items', (answer, error) => {
      if (error instanceof Error && error.message === 'No tap has an answer') throw new Error('speechless');
      return answer.status === 429 ? { status: 503, body: { busy: true } } : answer;
    });
  },
);

export interface Items {
  readonly handler: TestApplication['handler'];
  /** What was logged in the running test. */
  readonly lines: ReturnType<typeof recordingLog>['lines'];
  /** Fields that some line had twice, in any test. */
  readonly twice: readonly string[];
}

/** Started before the first test of a file, removed after the last. */
export function itemsApp(): Items {
  let app: TestApplication;
  const { log, lines, twice } = recordingLog();
  beforeAll(async () => {
    app = await testApplication({ plugins: [items], log });
    await app.start();
  });
  afterAll(() => app.remove());
  beforeEach(() => void lines.splice(0));
  return {
    get handler() {
      return app.handler;
    },
    lines,
    twice,
  };
}

export const envelope = (status: number, name: string, message: string, details?: object) => ({
  data: null,
  error: { status, name, message, ...(details && { details }) },
});
