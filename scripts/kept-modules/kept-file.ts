import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';

/** What an earlier start found out about a file. */
export interface KeptFile {
  /** Another one tells that the file has changed since. */
  readonly stamp: string;
  /** What V8 made of its text; nothing for what is no script. */
  readonly code?: Buffer;
  readonly text?: Buffer;
}

/** For each folder, which file was meant by what its modules require. */
export type Paths = Record<string, Record<string, string>>;

export interface Kept {
  readonly paths: Paths;
  readonly files: ReadonlyMap<string, KeptFile>;
}

interface Head {
  readonly key: string;
  readonly paths: Paths;
  /** By path: the stamp, and where the code begins, where it ends and where the text ends. */
  readonly files: Record<string, readonly [stamp: string, begin?: number, codeEnd?: number, textEnd?: number]>;
}

export const nothingKept: Kept = { paths: {}, files: new Map() };
/** Milliseconds. */
const longestWrite = 3_600_000;
const sumLength = 4;
const headStart = sumLength + 4;
const alignment = 8;

/** Tells what a crash or a disk has damaged; against others there is the file's owner. */
const sumOf = (content: Buffer): number => crc32(content);
const padding = (length: number): number => (alignment - (length % alignment)) % alignment;

/** Code is run as it is: nobody else may have been able to write it. */
function readOwn(file: string): Buffer | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return undefined;
  }
  try {
    const { mode, uid } = fstatSync(descriptor);
    const isOwn = (mode & 0o022) === 0 && uid === process.getuid?.();
    return isOwn ? readFileSync(descriptor) : undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** What was kept under that key; nothing where the file is missing, damaged, or somebody else's. */
export function readKept(file: string, key: string): Kept {
  const content = readOwn(file);
  if (!content || content.length < headStart) return nothingKept;
  if (content.readUInt32LE(0) !== sumOf(content.subarray(sumLength))) return nothingKept;
  const headEnd = headStart + content.readUInt32LE(sumLength);
  const head = JSON.parse(content.toString('utf8', headStart, headEnd)) as Head;
  if (head.key !== key) return nothingKept;
  const part = (begin: number, end: number): Buffer => content.subarray(headEnd + begin, headEnd + end);
  const files = Object.entries(head.files).map(([path, [stamp, begin, codeEnd, textEnd]]): [string, KeptFile] => [
    path,
    begin === undefined ? { stamp } : { stamp, code: part(begin, codeEnd!), text: part(codeEnd!, textEnd!) },
  ]);
  return { paths: head.paths, files: new Map(files) };
}

function written({ paths, files }: Kept, key: string): Buffer {
  const parts: Buffer[] = [];
  let end = 0;
  const add = (code: Buffer, text: Buffer): readonly [number, number, number] => {
    const begin = end;
    const length = code.length + text.length;
    parts.push(code, text, Buffer.alloc(padding(length)));
    end += length + padding(length);
    return [begin, begin + code.length, begin + length];
  };
  const places = [...files].map(([path, { stamp, code, text }]) => [path, [stamp, ...(code ? add(code, text!) : [])]]);
  const head = Buffer.from(JSON.stringify({ key, paths, files: Object.fromEntries(places) }));
  const headLength = Buffer.alloc(4);
  const gap = Buffer.alloc(padding(headStart + head.length), ' ');
  headLength.writeUInt32LE(head.length + gap.length);
  const content = Buffer.concat([headLength, head, gap, ...parts]);
  const sum = Buffer.alloc(sumLength);
  sum.writeUInt32LE(sumOf(content));
  return Buffer.concat([sum, content]);
}

/** Removes what processes have left behind that ended while they wrote. */
async function tidy(file: string): Promise<void> {
  const folder = dirname(file);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${basename(file)}.`)) continue;
    const path = join(folder, name);
    // Another start may have removed it by now.
    const found = await stat(path).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > longestWrite) await rm(path, { force: true });
  }
}

/** Whoever reads meanwhile, or after a crash, finds the file as it was or as it is now. */
export async function writeKept(file: string, key: string, kept: Kept): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await tidy(file);
  const unfinished = `${file}.${randomUUID()}`;
  try {
    const handle = await open(unfinished, 'wx', 0o600);
    try {
      await handle.writeFile(written(kept, key));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
