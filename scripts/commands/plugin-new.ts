import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readProject } from '../../core/content/project/read-project';
import { camelCase, pascalCase, refuseUnfitName } from '../kit/plugin-name';
import { templateFiles, writeFiles } from '../kit/template-files';
import { packageRoot } from '../package-root';
import { type FolderOptions, foldersOf } from './application-folder';

/** The plugin's field and type in GraphQL are called like itself, as those of a content type are. */
function refuseContentType(name: string, appDir: string): void {
  const [field, type] = [camelCase(name), `${camelCase(name)}Report`];
  const other = readProject(appDir).definitions.find(({ modelKind, info: { singularName, pluralName } }) => {
    const names = modelKind === 'component' ? [] : [camelCase(singularName), camelCase(pluralName)];
    return names.includes(field) || names[0] === type;
  });
  if (other)
    throw new Error(
      `"${name}" would give the plugin a name in GraphQL that the content type ${other.uid} has. Choose another, as "${name}-extras".`,
    );
}

/** Writes a plugin with its tests into an application. */
export async function newPlugin(name: string, options: Pick<FolderOptions, 'app'>): Promise<number> {
  refuseUnfitName(name);
  const { appDir } = foldersOf(options);
  if (appDir === packageRoot)
    throw new Error(
      'A plugin belongs to an application. Make one by "heddle new my-app", and give this command in its folder, or with --app.',
    );
  refuseContentType(name, appDir);
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
