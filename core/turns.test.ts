import { createTurns } from './turns';

const never = () => new Promise<never>(() => undefined);

test('so many go on at once, the others in the order of asking, also behind one that fails', async () => {
  const inTurn = createTurns(2);
  const order: number[] = [];
  let running = 0;
  const piece = (number: number) => async (): Promise<void> => {
    expect(++running).toBeLessThanOrEqual(2);
    order.push(number);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    if (number === 1) throw new Error('failed');
  };
  const results = await Promise.allSettled([0, 1, 2, 3, 4].map((number) => inTurn(piece(number))));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
  expect(order).toEqual([0, 1, 2, 3, 4]);
});

test('who comes when too many wait is refused', async () => {
  const inTurn = createTurns(1, { mostWaiting: 1, refusal: () => new Error('full') });
  void inTurn(never);
  void inTurn(never);
  await expect(inTurn(never)).rejects.toThrow('full');
});
