import type { RawConfig } from '../kernel/config';
import type { ChosenPlugin } from '../kernel/kernel';
import type { PluginCatalogue } from './catalogue';
import { readConfigFiles, unreadFolders } from './config-files';
import { localPlugins } from './custom-code';
import { deepMerge } from './deep-merge';
import { createEnv, readVariables, type Variables } from './env';
import { misplacedSchemas } from './misplaced-schemas';
import { createModuleLoader } from './module-loader';
import { choosePlugins } from './plugin-list';
import type { createReport } from './report';
import { forgetTranslator } from './translator';

/** An application folder, read: its variables, its configuration, and the plugins it wants. */
export interface Project {
  readonly variables: Variables;
  readonly environment: string;
  /** Section → content, unchecked. */
  readonly config: RawConfig;
  readonly plugins: readonly ChosenPlugin[];
  readonly notices: readonly string[];
}

export interface ProjectPlace {
  appDir: string;
  dataDir: string;
  shipped: PluginCatalogue;
  env: Variables;
  overrides?: RawConfig;
}

export async function readProject(
  { appDir, dataDir, shipped, env, overrides }: ProjectPlace,
  report: ReturnType<typeof createReport>,
): Promise<Project> {
  const variables = readVariables(appDir, env);
  const environment = variables['NODE_ENV'] || 'development';
  const load = createModuleLoader(appDir, dataDir);
  const files = await readConfigFiles({ appDir, environment, env: createEnv(variables), load });
  report.add(files.problems);
  const { plugins: pluginList, middlewares, ...sections } = deepMerge(files.config, overrides) as RawConfig;
  const choice = choosePlugins(pluginList, shipped, appDir, load);
  report.add(choice.problems);
  forgetTranslator();
  return {
    variables,
    environment,
    config: { ...sections, middlewares: { list: middlewares } },
    plugins: choice.chosen,
    notices: [
      ...unreadFolders(appDir, choice.folders),
      ...choice.notices,
      ...localPlugins(appDir, choice.folders),
      ...misplacedSchemas(appDir, choice.folders),
    ],
  };
}
