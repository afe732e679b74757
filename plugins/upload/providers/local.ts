import { mkdir, open, rename, rm, unlink } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import type { FileProvider, FileStore } from '../hooks';
import { asUnavailable, linkOrCopy, syncFolder } from '../staging';

const options = z.strictObject({
  /** Relative to the data folder. */
  folder: z.string().min(1).default('uploads'),
  localServer: z
    .strictObject({
      /** Milliseconds that clients may keep a file without asking again. */
      maxage: z.int().min(0).default(0),
    })
    .prefault({}),
  /** Existing projects have it; `sizeLimit` of the plugin says how large files may be. */
  sizeLimit: z.number().optional(),
});

export type LocalOptions = z.infer<typeof options>;

export const localName = 'local';
export const uploadsPath = '/uploads';

/** Where a project's own files lie: those it brought along under `public/uploads` are served and removed, not added to. */
export interface LocalFolders {
  readonly own: string;
  readonly inherited: string;
}

export const localFolders = (
  given: Pick<LocalOptions, 'folder'>,
  app: { dir: string; dataDir: string },
): LocalFolders => ({
  own: isAbsolute(given.folder) ? given.folder : join(app.dataDir, given.folder),
  inherited: join(app.dir, 'public', 'uploads'),
});

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

const besideOf = (folder: string, key: string): string => join(folder, `.${key}.part`);

/** Copies beside the target first: staged files may lie on another disk. */
async function moveInto(folder: string, from: string, key: string): Promise<void> {
  const beside = besideOf(folder, key);
  try {
    await rm(beside, { force: true });
    await linkOrCopy(from, beside);
    const handle = await open(beside, 'r+');
    try {
      await handle.chmod(0o644);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(beside, join(folder, key));
    // Where an earlier process got as far as this, both names are of one file, and renaming does nothing.
    await rm(beside, { force: true });
    await syncFolder(folder);
  } catch (error) {
    await rm(beside, { force: true });
    throw asUnavailable(error);
  }
}

function createLocalStore({ own, inherited }: LocalFolders): FileStore {
  return {
    async put(key, { path }) {
      await mkdir(own, { recursive: true });
      await moveInto(own, path, key);
    },
    async remove(key) {
      // A process may have ended with the file beside its place.
      for (const path of [besideOf(own, key), join(own, key), join(inherited, key)])
        await unlink(path).catch((error) => {
          if (!isMissing(error)) throw error;
        });
    },
    urlOf: (key) => `${uploadsPath}/${key}`,
  };
}

/** Keeps files on the disk of this machine. */
export const localProvider: FileProvider = {
  name: localName,
  options,
  make: (given, { app }) => createLocalStore(localFolders(given as LocalOptions, app)),
};
