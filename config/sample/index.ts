import { timingSafeEqual } from 'node:crypto';
import { definePlugin, HeddleError, type Principal, secretOf, token } from 'heddle';
import { greeting } from './greeting';
import { seed } from './seed';

const GREETING = token<(url: string) => string>('heddle.greeting');

const everyone: Principal = { kind: 'public', rights: 'public' };
const writer: Principal = { kind: 'token', rights: 'sample-writer' };

const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

const isRead = (action: string): boolean => /\.(find|findOne)$/.test(action);

/** Makes the sample application worth a look: entries to read by everyone, and a token to write with. */
export default definePlugin({
  name: 'sample',
  requires: ['sql'],
  apply({ hooks, app, service, log }) {
    let key = '';

    hooks.lifecycle.provide.tap('sample', (services) => {
      services.add(GREETING, () => (url) => greeting(url, app.dataDir));
    });

    hooks.lifecycle.boot.tapPromise('sample', async () => {
      key = secretOf(app, 'sample-token');
      const entries = await seed(service);
      if (entries > 0) log.info({ entries }, 'sample entries were made');
    });

    hooks.http.authenticate.tapPromise('sample', async (context) => {
      const [, given] = /^bearer\s+(\S+)$/i.exec(context.get('authorization')) ?? [];
      if (given === undefined) return everyone;
      if (isSame(given, key)) return writer;
      throw new HeddleError('UnauthorizedError', 'Missing or invalid credentials', {});
    });

    hooks.http.authorize.tapPromise('sample', async ({ principal, action }) =>
      isRead(action) || principal === writer ? true : undefined,
    );
  },
});
