import { writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CONTENT, createApplication, makeFolder } from '../../core';
import { shipped } from '../../plugins/shipped';
import { type FolderOptions, foldersOf } from './application-folder';
import { inScratchFolder } from './scratch-folder';
import { typesSource } from './types-source';

interface TypesOptions extends FolderOptions {
  readonly out?: string;
}

/** Writes TypeScript types of an application's content types. */
export async function types({ out, ...options }: TypesOptions): Promise<number> {
  const { appDir } = foldersOf(options);
  return inScratchFolder(async (dataDir) => {
    const app = await createApplication({ appDir, dataDir, shipped });
    const source = typesSource(app.kernel.services.get(CONTENT));
    if (out === undefined) {
      process.stdout.write(source);
      return 0;
    }
    makeFolder(dirname(resolve(out)));
    writeFileSync(out, source);
    return 0;
  });
}
