import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReadyFile } from '../hooks';
import { localProvider } from './local';

test('a file that an earlier process had put into its place already leaves nothing beside it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-local-'));
  const path = join(folder, 'staged');
  writeFileSync(path, 'kept');
  const options = localProvider.options!.parse({});
  const store = localProvider.make(options, { app: { dir: folder, dataDir: folder } } as never);
  for (let time = 0; time < 2; time++) await store.put('a.txt', { path } as ReadyFile);
  expect(readdirSync(join(folder, 'uploads'))).toEqual(['a.txt']);
  rmSync(folder, { recursive: true });
});
