import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe } from 'node:test';
import { type AnyPlugin, createApplication, definePlugin, type PluginCatalogue, refuseIfAny, z } from '../../core';
import { createModuleLoader } from '../../core/application/module-loader';
import { readProject } from '../../core/content/project/read-project';
import { shipped } from '../../plugins/shipped';
import { API_TOKENS } from '../../plugins/users-permissions';
import { failureReport } from '../failure-report';

/** The tests of one plugin, to be run against an application that it is switched on in. */
export interface Trial {
  readonly appDir: string;
  /** A scratch folder: the database, files and messages of the trial lie in it. */
  readonly dataDir: string;
  readonly plugin: string;
  readonly tests: readonly string[];
}

/** Whatever the application says: what a trial writes, sends and uploads stays in its scratch folder. */
const asByDefault = (load: () => AnyPlugin) => (): AnyPlugin => {
  const plugin = load();
  return { ...plugin, options: z.unknown().transform(() => plugin.options?.parse({})) };
};

/** Brings the content types that only tests need: schema files in the plugin's folder `fixture`, as an application has them. */
const fixtureOf = (folder: string): AnyPlugin =>
  definePlugin({
    name: 'plugin-test-fixture',
    apply({ hooks }) {
      hooks.content.types.tapPromise('plugin-test-fixture', async (definitions) => {
        const found = readProject(folder);
        refuseIfAny(found.problems);
        return [...definitions, ...found.definitions];
      });
    },
  });

function catalogue(fixture: string): PluginCatalogue {
  const { email, upload } = shipped.plugins;
  return {
    ...shipped,
    plugins: {
      ...shipped.plugins,
      email: { ...email!, load: asByDefault(email!.load) },
      upload: { ...upload!, load: asByDefault(upload!.load) },
      ...(existsSync(fixture) && { 'plugin-test-fixture': { default: true, load: () => fixtureOf(fixture) } }),
    },
  };
}

async function main({ appDir, dataDir, plugin, tests }: Trial): Promise<void> {
  const folder = join(appDir, 'src', 'plugins', plugin);
  const app = await createApplication({
    appDir,
    dataDir,
    shipped: catalogue(join(folder, 'fixture')),
    overrides: {
      server: { logger: { level: 'error' } },
      database: { connection: { client: 'sqlite', connection: { filename: join(dataDir, 'data.db') } } },
      plugins: { [plugin]: { enabled: true, resolve: `./src/plugins/${plugin}` } },
    },
  });
  const { url } = await app.listen(0, '127.0.0.1');
  process.env['HEDDLE_URL'] = url;
  const { services } = app.kernel;
  if (services.has(API_TOKENS)) {
    const { key } = await services.get(API_TOKENS).create({ name: 'plugin test', type: 'full-access' });
    process.env['HEDDLE_TOKEN'] = key;
  }
  const load = createModuleLoader(appDir, dataDir);
  describe(plugin, () => {
    after(() => app.close());
    for (const test of tests) load(test);
  });
}

main(JSON.parse(process.argv[2]!) as Trial).catch((error: unknown) => {
  console.error(failureReport(error));
  process.exit(1);
});
