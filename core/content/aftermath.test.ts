import { Aftermath } from './aftermath';

test('all that is left is done in turn, whatever fails of it, and the first failure told', async () => {
  const aftermath = new Aftermath();
  const done: string[] = [];
  const leave = (name: string, failure?: Error): void =>
    aftermath.leave(async () => {
      await new Promise(setImmediate);
      done.push(name);
      if (failure) throw failure;
    });
  leave('first');
  leave('second', new Error('second failed'));
  aftermath.leave(() => {
    throw new Error('third failed at once');
  });
  leave('fourth');
  await expect(aftermath.carryOut()).rejects.toThrow('second failed');
  expect(done).toEqual(['first', 'second', 'fourth']);
});

test('a write that is made along waits for what goes on, and its failure is told before the commit', async () => {
  const aftermath = new Aftermath();
  expect(aftermath.isAlone).toBe(true);
  aftermath.refuseFailed();
  const seen: string[] = [];
  let end: () => void = () => undefined;
  aftermath.goesOn(new Promise<void>((resolve) => (end = resolve)).then(() => void seen.push('went on')));
  const along = aftermath.along(async () => void seen.push('along'));
  expect(aftermath.isAlone).toBe(false);
  await new Promise(setImmediate);
  expect(seen).toEqual([]);
  end();
  await along;
  expect(seen).toEqual(['went on', 'along']);
  await expect(aftermath.along(async () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(() => aftermath.refuseFailed()).toThrow('no');
});
