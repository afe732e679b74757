import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';

/** What V8 made of a text. */
export interface Compiled {
  readonly code: Buffer;
  readonly text: Buffer;
}

/** What a start has found out about a file. */
export interface KnownFile {
  /** Another one tells that the file has changed since. */
  readonly stamp: string;
  /** Nothing for what is no script. */
  readonly compiled?: Compiled | undefined;
}

/** That the modules in a folder mean that file by what they require. */
export type Meaning = readonly [folder: string, request: string, path: string];

export interface Known {
  readonly meanings: readonly Meaning[];
  readonly files: ReadonlyMap<string, KnownFile>;
}

/** A file that an earlier start has known. */
export interface KeptFile {
  readonly at: number;
  readonly path: string;
  readonly stamp: string;
  /** Where a script lies behind the head. */
  readonly place: Place | undefined;
}

type Place = readonly [begin: number, codeEnd: number, textEnd: number, sum: number];

/** By what the modules of one folder require: which file was meant. */
export type Meant = Readonly<Record<string, number>>;

/** What an earlier start has known, as far as it has been read. */
export interface Kept {
  readonly files: readonly KeptFile[];
  readonly meant: Readonly<Record<string, Meant>>;
  /** Good until the next one is asked for; nothing for what is no script, or damaged. */
  compiled(file: KeptFile): Compiled | undefined;
  close(): void;
}

/** For each file its path, its stamp, and of a script its place. */
type HeadFile = readonly [path: string, stamp: string, ...place: Place | readonly []];

interface Head {
  readonly key: string;
  readonly files: readonly HeadFile[];
  readonly meant: Kept['meant'];
}

export const nothingKept: Kept = { files: [], meant: {}, compiled: () => undefined, close: () => undefined };

/** Milliseconds. */
const longestWrite = 3_600_000;
const sumLength = 4;
const headStart = sumLength + 4;
const alignment = 8;

/** Tells what a crash or a disk has damaged; against others there is the file's owner. */
const sumOf = (content: Buffer): number => crc32(content);
const padding = (length: number): number => (alignment - (length % alignment)) % alignment;

/** Code is run as it is: nobody else may have been able to write it. */
function openOwn(file: string): number | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return undefined;
  }
  const { mode, uid } = fstatSync(descriptor);
  if ((mode & 0o022) === 0 && uid === process.getuid?.()) return descriptor;
  closeSync(descriptor);
  return undefined;
}

/** What is read at once: all of it would stay in memory for as long as V8 sees no garbage worth collecting. */
const atOnce = 256 * 1024;

/** Answers parts of a file, shorter where it ends. A part is good until the next one is asked for. */
function partsOf(descriptor: number): (begin: number, end: number) => Buffer {
  let room = Buffer.allocUnsafeSlow(atOnce);
  let first = 0;
  let last = 0;
  return (begin, end) => {
    if (begin < first || end > last) {
      if (end - begin > room.length) room = Buffer.allocUnsafeSlow(end - begin);
      first = begin;
      last = begin + readSync(descriptor, room, 0, room.length, begin);
    }
    return room.subarray(begin - first, Math.min(end, last) - first);
  };
}

/** What was kept under that key; nothing where the file is missing, damaged at its head, or somebody else's. */
export function readKept(file: string, key: string): Kept {
  const descriptor = openOwn(file);
  if (descriptor === undefined) return nothingKept;
  const part = partsOf(descriptor);
  const found = headIn(part, fstatSync(descriptor).size);
  if (found?.head.key !== key) {
    closeSync(descriptor);
    return nothingKept;
  }
  const { head, end: headEnd } = found;
  return {
    files: head.files.map(([path, stamp, ...place], at) => ({
      at,
      path,
      stamp,
      place: place.length > 0 ? (place as Place) : undefined,
    })),
    meant: head.meant,
    compiled({ place }) {
      if (!place) return undefined;
      const [begin, codeEnd, textEnd, sum] = place;
      const content = part(headEnd + begin, headEnd + textEnd);
      if (sumOf(content) !== sum) return undefined;
      return { code: content.subarray(0, codeEnd - begin), text: content.subarray(codeEnd - begin) };
    },
    close: () => closeSync(descriptor),
  };
}

function headIn(part: ReturnType<typeof partsOf>, size: number): { head: Head; end: number } | undefined {
  if (size < headStart) return undefined;
  const end = headStart + part(0, headStart).readUInt32LE(sumLength);
  if (size < end) return undefined;
  const content = part(0, end);
  if (content.readUInt32LE(0) !== sumOf(content.subarray(sumLength))) return undefined;
  return { head: JSON.parse(content.toString('utf8', headStart)) as Head, end };
}

function meantIn({ meanings, files }: Known): Head['meant'] {
  const places = new Map([...files.keys()].map((path, at) => [path, at]));
  const meant: Record<string, Record<string, number>> = {};
  for (const [folder, request, path] of meanings) {
    meant[folder] ??= {};
    meant[folder][request] = places.get(path)!;
  }
  return meant;
}

/** In pieces: once a block of megabytes has been given back, the C library keeps more of all that comes later. */
function written(known: Known, key: string): Buffer[] {
  const parts: Buffer[] = [];
  let end = 0;
  const add = ({ code, text }: Compiled): Place => {
    const begin = end;
    const codeEnd = begin + code.length;
    const textEnd = codeEnd + text.length;
    const gap = Buffer.alloc(padding(textEnd));
    parts.push(code, text, gap);
    end = textEnd + gap.length;
    return [begin, codeEnd, textEnd, crc32(text, sumOf(code))];
  };
  const files = [...known.files].map(
    ([path, { stamp, compiled }]): HeadFile => [path, stamp, ...(compiled ? add(compiled) : ([] as const))],
  );
  const head = Buffer.from(JSON.stringify({ key, files, meant: meantIn(known) } satisfies Head));
  const headLength = Buffer.alloc(4);
  const gap = Buffer.alloc(padding(headStart + head.length), ' ');
  headLength.writeUInt32LE(head.length + gap.length);
  const summed = Buffer.concat([headLength, head, gap]);
  const sum = Buffer.alloc(sumLength);
  sum.writeUInt32LE(sumOf(summed));
  return [sum, summed, ...parts];
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

async function writeAll(handle: FileHandle, parts: readonly Buffer[]): Promise<void> {
  const { bytesWritten } = await handle.writev(parts);
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  // A disk that is full ends that early, and without a word: the next attempt says what is wrong.
  if (bytesWritten < length) await handle.writeFile(Buffer.concat(parts).subarray(bytesWritten));
}

/** Whoever reads meanwhile, or after a crash, finds the file as it was or as it is now. */
export async function writeKept(file: string, key: string, known: Known): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await tidy(file);
  const unfinished = `${file}.${randomUUID()}`;
  try {
    const handle = await open(unfinished, 'wx', 0o600);
    try {
      await writeAll(handle, written(known, key));
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
