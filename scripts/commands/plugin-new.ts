import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { camelCase, pascalCase, refuseUnfitName } from '../kit/plugin-name';
import { templateFiles, writeFiles } from '../kit/template-files';
import { packageRoot } from '../package-root';
import { type FolderOptions, foldersOf } from './application-folder';

/** Writes a plugin with its tests into an application. */
export async function newPlugin(name: string, options: Pick<FolderOptions, 'app'>): Promise<number> {
  refuseUnfitName(name);
  const { appDir } = foldersOf(options);
  if (appDir === packageRoot)
    throw new Error(
      'A plugin belongs to an application. Make one by "heddle new my-app", and give this command in its folder, or with --app.',
    );
  const folder = join('src', 'plugins', name);
  if (existsSync(join(appDir, folder)))
    throw new Error(`${folder} is there already, and nothing is overwritten. Choose another name.`);
  const words = { 'my-plugin': name, myPlugin: camelCase(name), MyPlugin: pascalCase(name) };
  writeFiles(join(appDir, folder), templateFiles('plugin', words));
  process.stdout.write(`Made the plugin "${name}" in ${folder}. To switch it on, put this into config/plugins:

  '${name}': { resolve: './src/plugins/${name}', config: { greeting: 'Hello' } },

Its tests run without that: heddle plugin test ${name}
`);
  return 0;
}
