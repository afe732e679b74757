import { createTurns } from './turns';

test('one thing follows the other on a connection, and none waits for those on another', async () => {
  const turns = createTurns<object>();
  const [raw, other] = [{}, {}];
  const done: string[] = [];
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const first = turns.take(raw, async () => {
    await held;
    done.push('first');
    throw new Error('failed');
  });
  const second = turns.take(raw, async () => void done.push('second'));
  await turns.take(other, async () => void done.push('other'));
  expect([done, await turns.ended(other)]).toEqual([['other'], true]);
  release();
  await expect(first).rejects.toThrow('failed');
  expect(await turns.ended(raw)).toBe(true);
  await second;
  expect(done).toEqual(['other', 'first', 'second']);
});

test('what is over before it ends holds up nobody', async () => {
  const turns = createTurns<object>();
  const raw = {};
  let close = (): void => undefined;
  const closed = new Promise<void>((resolve) => (close = resolve));
  void turns.take(raw, () => new Promise(() => undefined), closed);
  const next = turns.take(raw, async () => 'next');
  close();
  expect(await next).toBe('next');
});

test('of what does not end in time that is said', async () => {
  const turns = createTurns<object>();
  const raw = {};
  void turns.take(raw, () => new Promise(() => undefined));
  expect(await turns.ended(raw)).toBe(false);
});
