import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { constants, copyFile, link, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { HeddleError } from '../../core';
import { createSweeping } from './sweeping';

/** A file that was received, and that nobody else knows of yet. */
export interface StagedFile {
  readonly path: string;
  readonly size: number;
  /** Its first bytes. */
  readonly head: Buffer;
}

const headLength = 4_100;
/** Milliseconds between two signs by which a process shows other machines that it is there. */
const heartbeat = 10_000;

const noRoom = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE']);

/** What the disk refuses is not the caller's mistake, and passes. */
export function asUnavailable(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  return code !== undefined && noRoom.has(code)
    ? new HeddleError('ServiceUnavailableError', 'Files can not be kept just now', {}, { cause: error })
    : error;
}

/** Makes what was done to a folder's names last. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Another name for a file's bytes; a copy of them on another disk, or where there are no such names. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  }
}

/** The folders of this process in use, for several applications may live in it. */
const inUse = new Set<string>();

/** An application's own folder for what is on its way, and for notes of what it is about to do. */
export function createStaging(root: string) {
  const name = `${randomBytes(6).toString('hex')}.${process.pid}.${hostname()}`;
  const folder = join(root, name);
  const sweeping = createSweeping(root, (other) => inUse.has(other));
  let beating: NodeJS.Timeout | undefined;

  async function openFolder(): Promise<void> {
    inUse.add(name);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    beating = setInterval(() => {
      const now = new Date();
      utimes(folder, now, now).catch(() => mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => undefined));
    }, heartbeat).unref();
  }

  const newPath = (): string => join(folder, randomBytes(12).toString('hex'));

  /** Writes what arrives to the disk, whatever its size, in little memory; nothing of it stays when that fails. */
  async function receive(stream: Readable): Promise<StagedFile> {
    const path = newPath();
    let size = 0;
    const first: Buffer[] = [];
    let kept = 0;
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        size += chunk.length;
        if (kept < headLength) {
          first.push(chunk.subarray(0, headLength - kept));
          kept += first.at(-1)!.length;
        }
        done(null, chunk);
      },
    });
    try {
      await pipeline(stream, counted, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));
    } catch (error) {
      await rm(path, { force: true });
      throw asUnavailable(error);
    }
    return { path, size, head: Buffer.concat(first) };
  }

  /** Keeps a note that outlives this process; answers how to drop it. */
  async function note(content: object): Promise<() => Promise<void>> {
    const path = `${newPath()}.json`;
    try {
      const handle = await open(`${path}.part`, 'wx', 0o600);
      try {
        await handle.writeFile(JSON.stringify(content));
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(`${path}.part`, path);
      await syncFolder(folder);
    } catch (error) {
      await rm(`${path}.part`, { force: true });
      throw asUnavailable(error);
    }
    return () => rm(path, { force: true });
  }

  return {
    folder,
    open: openFolder,
    newPath,
    /** Another name for a file, or a copy of it, for work that outlives the first one. */
    async another(path: string): Promise<string> {
      const other = newPath();
      try {
        await linkOrCopy(path, other);
      } catch (error) {
        await rm(other, { force: true });
        throw asUnavailable(error);
      }
      return other;
    },
    isThere: (path: string): Promise<boolean> =>
      stat(path).then(
        () => true,
        () => false,
      ),
    /** Removes a file of this folder. */
    drop: (path: string) => rm(path, { force: true }),
    receive,
    note,
    sweep: sweeping.sweep,
    /** Notes of what could not be finished stay for the next start. */
    async close() {
      clearInterval(beating);
      await sweeping.stop();
      inUse.delete(name);
      const left = await readdir(folder).catch(() => [] as string[]);
      if (!left.some((file) => file.endsWith('.json'))) await rm(folder, { recursive: true, force: true });
    },
  };
}

export type Staging = ReturnType<typeof createStaging>;
