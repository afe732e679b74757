import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { freePort } from '../ci/running';
import { copyOf, createPlace } from './databases';
import { fill } from './fill';
import { grow } from './growth/content';

jest.mock('./fill');

let scratch: string;

beforeEach(() => {
  scratch = mkdtempSync(join(os.tmpdir(), 'heddle-places-'));
  jest.spyOn(os, 'tmpdir').mockReturnValue(scratch);
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(scratch, { recursive: true });
});

test('a database that can not be filled or multiplied is removed', async () => {
  jest.mocked(fill).mockRejectedValueOnce(new Error('the disk is full'));
  await expect(grow('sqlite', 10_000)).rejects.toThrow('the disk is full');
  // Nor has an empty one anything to multiply.
  await expect(grow('sqlite', 10_000)).rejects.toMatchObject({ message: expect.stringContaining('no such table') });
  expect(readdirSync(scratch)).toEqual([]);
});

test('where the server is away, no folder stays, and both that fails is told', async () => {
  jest.replaceProperty(process, 'env', { ...process.env, DATABASE_PORT: String(await freePort()) });
  const failure = await createPlace('postgres').catch((error: unknown) => error);
  expect((failure as AggregateError).errors).toHaveLength(2);
  expect(readdirSync(scratch)).toEqual([]);
});

test('a folder that can not be copied leaves no other', async () => {
  const gone = { client: 'sqlite', name: join(scratch, 'gone', 'bench.db'), folder: join(scratch, 'gone') } as const;
  await expect(copyOf(gone)).rejects.toThrow('ENOENT');
  expect(readdirSync(scratch)).toEqual([]);
});
