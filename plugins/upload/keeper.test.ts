import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Logger } from '../../core';
import type { FileStore } from './hooks';
import { createKeeper, type Note } from './keeper';
import { createStaging } from './staging';

const quiet = (): void => undefined;
const log: Logger = {
  level: 'error',
  debug: quiet,
  info: quiet,
  warn: quiet,
  error: quiet,
  child: () => log,
} as Logger;

test('what is stale after a replacement is removed by the next start, though what was placed is staged no longer', async () => {
  const root = mkdtempSync(join(tmpdir(), 'heddle-keeper-'));
  const staging = createStaging(root);
  await staging.open();
  const kept = new Set(['old.png', 'small_old.png']);
  let refuses = true;
  const store = {
    async put(key: string, { path }: { path: string }) {
      readFileSync(path);
      kept.add(key);
    },
    async remove(key: string) {
      if (refuses) throw new Error('refused');
      kept.delete(key);
    },
    urlOf: (key: string) => key,
  } as unknown as FileStore;
  const keeper = createKeeper('x', store, staging, log);
  const { path } = await staging.receive(Readable.from(['new']));
  const placings = [{ key: 'old.png', file: { path } as never }];
  const change = { id: 1, was: 'before', placings, stale: ['small_old.png'] };
  await keeper.replace(
    change,
    async () => undefined,
    async () => undefined,
  );
  await staging.drop(path);
  const [note] = readdirSync(staging.folder).filter((name) => name.endsWith('.json'));
  const noted = JSON.parse(readFileSync(join(staging.folder, note!), 'utf8')) as Note;
  refuses = false;
  await keeper.settle(noted, { keysOf: async () => [], updatedAt: async () => 'after' });
  expect([...kept]).toEqual(['old.png']);
  await staging.close();
  rmSync(root, { recursive: true });
});
