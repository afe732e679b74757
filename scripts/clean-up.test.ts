import { cleanedUp, oneByOne, orTakenBack } from './clean-up';

const failing = (told: string) => (): Promise<never> => Promise.reject(new Error(told));

test('what fails first is told first, and what fails at cleaning up beside it', async () => {
  for (const behind of [cleanedUp, orTakenBack]) {
    const both = await behind(failing('first'), failing('second')).catch((error: unknown) => error);
    expect((both as AggregateError).errors.map(({ message }) => message)).toEqual(['first', 'second']);
    await expect(behind(failing('first'), async () => undefined)).rejects.toThrow(/^first$/);
  }
});

test('only what always has to be cleaned up is where nothing failed', async () => {
  const cleanUp = jest.fn(async () => undefined);
  expect(await orTakenBack(async () => 1, cleanUp)).toBe(1);
  expect(cleanUp).not.toHaveBeenCalled();
  expect(await cleanedUp(async () => 1, cleanUp)).toBe(1);
  expect(cleanUp).toHaveBeenCalledTimes(1);
});

test('one that fails keeps no other from being done', async () => {
  const done: number[] = [];
  const work = async (one: number): Promise<void> => {
    done.push(one);
    if (one === 1) throw new Error('the first');
  };
  await expect(oneByOne([1, 2, 3], work)).rejects.toThrow(/^the first$/);
  expect(done).toEqual([1, 2, 3]);
});
