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
  readonly path: string;
  /** Another one tells that the file has changed since. */
  readonly stamp: string;
  /** Nothing for what is no script. */
  readonly compiled?: { readonly code: Buffer; readonly text: string } | undefined;
}

/** That the modules in a folder mean that file by what they require. */
export type Meaning = readonly [folder: string, request: string, path: string];

export interface Known {
  readonly meanings: readonly Meaning[];
  /** Asked for one by one: what was written of one is needed no more when the next is asked for. */
  readonly files: Iterable<KnownFile>;
}

/** A file that an earlier start has known. */
export interface KeptFile {
  readonly at: number;
  readonly path: string;
  readonly stamp: string;
  /** Where a script lies in the file. */
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
const alignment = 8;
/** The length of the head, which ends before it, and the sum of both. */
const tailLength = 8;

/** Tells what a crash or a disk has damaged; against others there is the file's owner. */
const sumOf = (content: Buffer): number => crc32(content);
const padding = (length: number): number => (alignment - (length % alignment)) % alignment;
const gap = Buffer.alloc(alignment);

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

/** All of it at once would stay in memory for as long as V8 sees no garbage worth collecting. */
const readAtOnce = 256 * 1024;
/** Requests get their turn each time. */
const writtenAtOnce = 128 * 1024;

/** Answers parts of a file, shorter where it ends. A part is good until the next one is asked for. */
function partsOf(descriptor: number): (begin: number, end: number) => Buffer {
  let room = Buffer.allocUnsafeSlow(readAtOnce);
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
  if (found?.key !== key) {
    closeSync(descriptor);
    return nothingKept;
  }
  return {
    files: found.files.map(([path, stamp, ...place], at) => ({
      at,
      path,
      stamp,
      place: place.length > 0 ? (place as Place) : undefined,
    })),
    meant: found.meant,
    compiled({ place }) {
      if (!place) return undefined;
      const [begin, codeEnd, textEnd, sum] = place;
      const content = part(begin, textEnd);
      if (sumOf(content) !== sum) return undefined;
      return { code: content.subarray(0, codeEnd - begin), text: content.subarray(codeEnd - begin) };
    },
    close: () => closeSync(descriptor),
  };
}

function headIn(part: ReturnType<typeof partsOf>, size: number): Head | undefined {
  if (size < tailLength) return undefined;
  const tailStart = size - tailLength;
  const tail = part(tailStart, size);
  if (tail.length < tailLength) return undefined;
  const begin = tailStart - tail.readUInt32LE(0);
  const content = begin < 0 ? undefined : part(begin, size);
  // Shorter where somebody has cut the file off meanwhile.
  if (content?.length !== size - begin || begin === tailStart) return undefined;
  const sumStart = content.length - 4;
  if (content.readUInt32LE(sumStart) !== sumOf(content.subarray(0, sumStart))) return undefined;
  return JSON.parse(content.toString('utf8', 0, tailStart - begin)) as Head;
}

function meantIn(meanings: readonly Meaning[], files: readonly HeadFile[]): Head['meant'] {
  const places = new Map(files.map(([path], at) => [path, at]));
  const meant: Record<string, Record<string, number>> = {};
  for (const [folder, request, path] of meanings) {
    meant[folder] ??= {};
    meant[folder][request] = places.get(path)!;
  }
  return meant;
}

/** Gathers pieces of a file, so that not each of them takes a write of its own. */
function gatheredFor(handle: FileHandle) {
  let room = Buffer.allocUnsafeSlow(writtenAtOnce);
  let first = 0;
  let used = 0;

  async function writeOut(): Promise<void> {
    // Up to the last byte, or to why it can't be: a disk that is full ends a write early, and without a word.
    await handle.writeFile(room.subarray(0, used));
    first += used;
    used = 0;
  }

  return {
    writeOut,
    /** Makes room for so many bytes; where in the file they come to be. */
    async placeFor(length: number): Promise<number> {
      if (used + length > room.length) await writeOut();
      if (length > room.length) room = Buffer.allocUnsafeSlow(length);
      return first + used;
    },
    /** Answers what was added, until the next room is made. */
    add(piece: Buffer | string): Buffer {
      const begin = used;
      used += typeof piece === 'string' ? room.write(piece, used) : piece.copy(room, used);
      return room.subarray(begin, used);
    },
  };
}

async function writeFiles(files: Known['files'], to: ReturnType<typeof gatheredFor>): Promise<HeadFile[]> {
  const written: HeadFile[] = [];
  for (const { path, stamp, compiled } of files) {
    if (!compiled) {
      written.push([path, stamp]);
      continue;
    }
    const { code, text } = compiled;
    const length = code.length + Buffer.byteLength(text);
    const begin = await to.placeFor(length + padding(length));
    const sum = sumOf(to.add(code));
    written.push([path, stamp, begin, begin + code.length, begin + length, crc32(to.add(text), sum)]);
    to.add(gap.subarray(0, padding(length)));
  }
  return written;
}

async function writeHead(head: Head, to: ReturnType<typeof gatheredFor>): Promise<void> {
  const content = Buffer.from(JSON.stringify(head));
  await to.placeFor(content.length + tailLength);
  const tail = Buffer.alloc(tailLength);
  tail.writeUInt32LE(content.length);
  tail.writeUInt32LE(crc32(tail.subarray(0, 4), sumOf(content)), 4);
  to.add(content);
  to.add(tail);
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
export async function writeKept(file: string, key: string, { meanings, files: known }: Known): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await tidy(file);
  const unfinished = `${file}.${randomUUID()}`;
  try {
    const handle = await open(unfinished, 'wx', 0o600);
    try {
      const gathered = gatheredFor(handle);
      const files = await writeFiles(known, gathered);
      await writeHead({ key, files, meant: meantIn(meanings, files) }, gathered);
      await gathered.writeOut();
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
