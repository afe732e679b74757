import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createStaging } from './staging';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'heddle-staging-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const nothing = async (): Promise<void> => undefined;
const never = (error: unknown): void => {
  throw error;
};

test('an application leaves alone what another one of its process is at', async () => {
  const first = createStaging(root);
  await first.open();
  const second = createStaging(root);
  await second.open();
  expect(await second.sweep(nothing, never)).toBe(0);
  expect(await first.receive(Readable.from(['hello']))).toMatchObject({ size: 5 });
  await Promise.all([first.close(), second.close()]);
  expect(readdirSync(root)).toEqual([]);
});

test('what an application of this process left when it stopped is settled', async () => {
  const first = createStaging(root);
  await first.open();
  await first.note({ doing: 'something' });
  await first.close();
  const second = createStaging(root);
  await second.open();
  const settled: unknown[] = [];
  expect(await second.sweep(async (note) => void settled.push(note), never)).toBe(1);
  expect(settled).toEqual([{ doing: 'something' }]);
  await second.close();
});

test('what an earlier process with the same number left is settled', async () => {
  const folder = join(root, `0123456789ab.${process.pid}.${hostname()}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.json'), '{}');
  const staging = createStaging(root);
  await staging.open();
  expect(await staging.sweep(nothing, never)).toBe(1);
  await staging.close();
  expect(readdirSync(root)).toEqual([]);
});

test('what can not be settled now is told, and left for the next start, without what was settled', async () => {
  const first = createStaging(root);
  await first.open();
  for (const name of ['a', 'b', 'c']) await first.note({ name });
  await first.close();
  const start = async (refused: (name: string) => boolean) => {
    const staging = createStaging(root);
    await staging.open();
    const [settled, told]: [string[], unknown[]] = [[], []];
    const swept = await staging.sweep(
      async (note) => {
        const { name } = note as { name: string };
        if (refused(name)) throw new Error(name);
        settled.push(name);
      },
      (error) => void told.push(error),
    );
    await staging.close();
    return { swept, settled, told: told.length };
  };
  const before = await start((name) => name === 'b');
  expect(before).toMatchObject({ swept: 0, told: 1 });
  const after = await start(() => false);
  expect(after).toMatchObject({ swept: 1, told: 0 });
  expect([...before.settled, ...after.settled].sort()).toEqual(['a', 'b', 'c']);
  expect(readdirSync(root)).toEqual([]);
});
