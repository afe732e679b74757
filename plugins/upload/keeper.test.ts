import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Logger } from '../../core';
import type { FileStore } from './hooks';
import { createKeeper, type Keeper, type Note, type Placing, type Replacement, type RowsNow } from './keeper';
import { createStaging, type Staging } from './staging';

const quiet = (): void => undefined;
const log: Logger = {
  level: 'error',
  debug: quiet,
  info: quiet,
  warn: quiet,
  error: quiet,
  child: () => log,
} as Logger;

let root: string;
let staging: Staging;
let keeper: Keeper;
/** What is kept: key → content. */
let kept: Map<string, string>;
let refuses: (what: 'put' | 'remove', key: string) => boolean;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'heddle-keeper-'));
  staging = createStaging(root);
  await staging.open();
  kept = new Map([
    ['old.png', 'old'],
    ['small_old.png', 'old'],
  ]);
  refuses = () => false;
  const tried = (what: 'put' | 'remove', key: string): void => {
    if (refuses(what, key)) throw new Error('refused');
  };
  const store: FileStore = {
    async put(key, { path }) {
      tried('put', key);
      kept.set(key, readFileSync(path, 'utf8'));
    },
    async remove(key) {
      tried('remove', key);
      kept.delete(key);
    },
    urlOf: (key) => key,
  };
  keeper = createKeeper('x', store, staging, log);
});
afterEach(async () => {
  await staging.close();
  rmSync(root, { recursive: true });
});

const nothing = async (): Promise<void> => undefined;

async function placing(key: string): Promise<Placing> {
  const { path, size } = await staging.receive(Readable.from(['new']));
  return { key, file: { path, size, mime: 'image/png' } };
}

/** The replacement of a file and its smaller version by others. */
async function replacement(): Promise<Replacement> {
  const versions = [await placing('small_new.png')];
  return {
    id: 1,
    hash: 'old',
    was: 'before',
    says: { size: 2 },
    main: await placing('old.png'),
    versions,
    stale: ['small_old.png'],
  };
}

const dropStaged = async ({ main, versions }: Replacement): Promise<void> => {
  for (const { file } of [main, ...versions]) await staging.drop(file.path);
};

function noted(): Note {
  const [note] = readdirSync(staging.folder).filter((name) => name.endsWith('.json'));
  return JSON.parse(readFileSync(join(staging.folder, note!), 'utf8')) as Note;
}

const before = { 'old.png': 'old', 'small_old.png': 'old' };
const after = { 'old.png': 'new', 'small_new.png': 'new' };
const rowOf = (files: object, updatedAt: string | undefined, size = files === after ? 2 : 1): RowsNow => ({
  keysOf: async () => Object.keys(files),
  row: async () => (updatedAt === undefined ? undefined : { updatedAt, size }),
});

test('what is stale after a replacement is removed by the next start, though what was placed is staged no longer', async () => {
  const change = await replacement();
  refuses = (what) => what === 'remove';
  await keeper.replace(change, nothing, nothing);
  await dropStaged(change);
  expect(Object.fromEntries(kept)).toEqual({ ...after, 'small_old.png': 'old' });
  refuses = () => false;
  await keeper.settle(noted(), rowOf(after, 'later'));
  expect(Object.fromEntries(kept)).toEqual(after);
});

test('what a failed replacement could not remove is removed by the next start', async () => {
  const change = await replacement();
  refuses = (what, key) => what === 'remove' || key === 'old.png';
  await expect(keeper.replace(change, nothing, nothing)).rejects.toThrow('Files can not be kept just now');
  expect(Object.fromEntries(kept)).toEqual({ ...before, 'small_new.png': 'new' });
  refuses = () => false;
  // The row was written twice: it says what it said at first.
  await keeper.settle(noted(), rowOf(before, 'later'));
  expect(Object.fromEntries(kept)).toEqual(before);
});

test.each<[string, string[], RowsNow, object]>([
  ['before anything was put', [], rowOf(before, 'before'), before],
  ['before its row was written', ['small_new.png'], rowOf(before, 'before'), before],
  ['when its row was written', ['small_new.png'], rowOf(after, 'later'), after],
  ['when all was put', ['small_new.png', 'old.png'], rowOf(after, 'later'), after],
  ['and another one changed what is said of the file', ['small_new.png'], rowOf(before, 'later'), before],
])('a process that ended in a replacement, %s, leaves the old file or the new one', async (_when, put, rows, whole) => {
  const change = await replacement();
  for (const key of put) kept.set(key, 'new');
  await keeper.settle({ doing: 'replace', ...change }, rows);
  expect(Object.fromEntries(kept)).toEqual(whole);
});

test.each<[string, number, string]>([
  ['when its row was written', 2, 'new'],
  ['and another one changed what is said of the file', 1, 'newer'],
  ['and another one replaced the file', 3, 'newer'],
])('without versions it is told by what the row says: %s', async (_when, size, content) => {
  kept = new Map([['old.png', 'newer']]);
  const change = { ...(await replacement()), versions: [], stale: [] };
  await keeper.settle({ doing: 'replace', ...change }, rowOf({ 'old.png': '' }, 'later', size));
  expect([...kept]).toEqual([['old.png', content]]);
});

test('a replacement of a file that is gone by now leaves nothing', async () => {
  kept = new Map([
    ['small_old.png', 'old'],
    ['small_new.png', 'new'],
  ]);
  await keeper.settle({ doing: 'replace', ...(await replacement()) }, rowOf({}, undefined));
  expect([...kept]).toEqual([]);
});
