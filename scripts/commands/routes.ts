import { createApplication } from '../../core';
import { shipped } from '../../plugins/shipped';
import { type FolderOptions, foldersOf } from './application-folder';
import { columns } from './columns';
import { inScratchFolder } from './scratch-folder';

interface RoutesOptions extends FolderOptions {
  readonly json?: boolean;
}

/** Lists the routes of an application in the order of their paths. */
export async function routes(options: RoutesOptions): Promise<number> {
  const { appDir } = foldersOf(options);
  return inScratchFolder(async (dataDir) => {
    const app = await createApplication({ appDir, dataDir, shipped });
    const listed = app.routes();
    const rows = listed.map(({ method, path, plugin, access }) => [method, path, plugin, access]);
    const text = options.json
      ? JSON.stringify(listed, null, 2)
      : columns([['METHOD', 'PATH', 'PLUGIN', 'ACCESS'], ...rows]);
    process.stdout.write(`${text}\n`);
    return 0;
  });
}
