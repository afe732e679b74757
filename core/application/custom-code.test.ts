import { appFolder } from '../testing/app-folder';
import { customCode, localPlugins } from './custom-code';

const files = {
  // As the generator writes them.
  'src/api/a/controllers/a.js': `'use strict';\n\n/**\n * a controller\n */\n\nconst { createCoreController } = require('@strapi/strapi').factories;\n\nmodule.exports = createCoreController('api::a.a');\n`,
  'src/api/a/services/a.ts': `/** a service */\nimport { factories } from '@strapi/strapi';\n\nexport default factories.createCoreService('api::a.a');\n`,
  'src/api/a/routes/a.js': `module.exports = require('@strapi/strapi').factories.createCoreRouter('api::a.a');`,
  'src/api/a/content-types/a/schema.json': {},
  'src/index.ts': `// import type { Core } from '@strapi/strapi';\n\nexport default {\n  /**\n   * An asynchronous register function.\n   */\n  register(/* { strapi }: { strapi: Core.Strapi } */) {},\n\n  bootstrap(/* { strapi } */) {},\n};\n`,
  'src/api/a/documentation/1.0.0/a.json': {},
  'src/middlewares/.gitkeep': '',
  // As people write them.
  'src/api/b/controllers/b.ts': `import { factories } from '@strapi/strapi';\nexport default factories.createCoreController('api::b.b', ({ strapi }) => ({ async find(ctx) { return 1; } }));`,
  'src/api/b/services/nested/b.js': `module.exports = () => ({ go() {} });`,
  'src/api/b/routes/custom.js': `module.exports = { routes: [] };`,
  'src/api/b/policies/own.js': `module.exports = () => true;`,
  'src/api/b/middlewares/own.js': `module.exports = () => (ctx, next) => next();`,
  'src/api/b/content-types/b/lifecycles.js': `module.exports = { beforeCreate() {} };`,
  'src/extensions/shop/strapi-server.js': `module.exports = (plugin) => plugin;`,
  'src/policies/all.js': `module.exports = () => true;`,
  'src/middlewares/all.ts': `export default () => null;`,
  'src/plugins/mine/index.ts': '',
  'src/plugins/used/index.ts': '',
};

test('code of the project is named, what the generator made is not', () => {
  const { appDir, remove } = appFolder(files);
  expect(customCode(appDir)).toEqual([
    'src/api/b/content-types/b/lifecycles.js is without effect: it holds lifecycles, which is not run here.',
    'src/api/b/controllers/b.ts is without effect: it holds a custom controller, which is not run here.',
    'src/api/b/middlewares/own.js is without effect: it holds a custom middleware, which is not run here.',
    'src/api/b/policies/own.js is without effect: it holds a custom policy, which is not run here.',
    'src/api/b/routes/custom.js is without effect: it holds custom routes, which is not run here.',
    'src/api/b/services/nested/b.js is without effect: it holds a custom service, which is not run here.',
    'src/extensions/shop/strapi-server.js is without effect: it holds an extension of a plugin, which is not run here.',
    'src/policies/all.js is without effect: it holds a custom policy, which is not run here.',
    'src/middlewares/all.ts is without effect: it holds a custom middleware, which is not run here.',
  ]);
  expect(localPlugins(appDir, [`${appDir}/src/plugins/used`])).toEqual([
    'src/plugins/mine is without effect: config/plugins does not resolve it.',
  ]);
  remove();
});

test('an entry file with something in it is named', () => {
  const { appDir, remove } = appFolder({
    'src/index.js': `module.exports = { register() {}, bootstrap({ strapi }) { strapi.log.info('hi'); } };`,
  });
  expect(customCode(appDir)).toEqual([
    'src/index.js is without effect: it holds register, bootstrap or destroy, which is not run here.',
  ]);
  remove();
});
