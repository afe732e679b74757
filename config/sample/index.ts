import { CONTENT, definePlugin, secretOf, token } from 'heddle';
import { greeting } from './greeting';
import { seed } from './seed';

const GREETING = token<(url: string) => string>('heddle.greeting');

/** The parts of plugin users-permissions that this plugin uses. */
const ROLES = token<{ grant(type: string, actions: readonly string[]): Promise<string[]> }>('users-permissions.roles');
const API_TOKENS = token<{
  ensure(token: { name: string; description: string; type: 'full-access'; key: string }): Promise<boolean>;
}>('users-permissions.api-tokens');

/** Makes the sample application worth a look: entries to read by everyone, and a token to write with. */
export default definePlugin({
  name: 'sample',
  requires: ['sql', 'users-permissions'],
  apply({ hooks, app, service, log }) {
    hooks.lifecycle.provide.tap('sample', (services) => {
      services.add(GREETING, () => (url) => greeting(url, app.dataDir));
    });

    hooks.lifecycle.boot.tapPromise('sample', async () => {
      const types = service(CONTENT).documents.filter(({ uid }) => uid.startsWith('api::'));
      const reads = types.flatMap(({ uid }) => [`${uid}.find`, `${uid}.findOne`]);
      await service(ROLES).grant('public', reads);
      await service(API_TOKENS).ensure({
        name: 'sample',
        description: 'May do everything.',
        type: 'full-access',
        key: secretOf(app, 'sample-token'),
      });
      const entries = await seed(service);
      if (entries > 0) log.info({ entries }, 'sample entries were made');
    });
  },
});
