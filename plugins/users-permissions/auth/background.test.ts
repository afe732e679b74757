import { silentLogger } from '../../../core/kernel/logger';
import { createBackground } from './background';

/** A promise that is settled from outside. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

test('work begins after the turn in which it was asked for, a few pieces at once, in order', async () => {
  const background = createBackground(silentLogger);
  const { opened, open } = gate();
  const begun: number[] = [];
  for (let piece = 0; piece < 9; piece += 1)
    background.begin('work', async () => {
      begun.push(piece);
      await opened;
    });
  await Promise.resolve();
  expect(begun).toEqual([]);
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(begun).toEqual([0, 1, 2, 3]);
  open();
  await background.finish();
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
});

test('what fails is told and holds up nothing; what there is no room for is told, too', async () => {
  const told: string[] = [];
  const background = createBackground({ ...silentLogger, error: (_: object, text: string) => void told.push(text) });
  const { opened, open } = gate();
  let done = 0;
  background.begin('the first', async () => Promise.reject(new Error('broken')));
  for (let piece = 0; piece < 1_100; piece += 1)
    background.begin(`piece ${piece}`, async () => {
      await opened;
      done += 1;
    });
  expect(told).toHaveLength(101);
  expect(told.at(-1)).toBe('piece 1099 was given up: too much is waiting already');
  open();
  await background.finish();
  expect(told.at(-1)).toBe('the first failed');
  expect(done).toBe(999);
});

test('a stop does not wait for ever', async () => {
  const told: object[] = [];
  const log = { ...silentLogger, error: (fields: object) => void told.push(fields) };
  const background = createBackground(log, 1);
  const { opened, open } = gate();
  for (let piece = 0; piece < 6; piece += 1) background.begin('work', () => opened);
  await new Promise(setImmediate);
  await background.finish();
  expect(told).toEqual([{ waiting: 2 }]);
  open();
});
