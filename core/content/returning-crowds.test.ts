import { stopTimers } from './joined-reads.fixture';
import { type Crowd, createReturningCrowds, joinCrowd } from './returning-crowds';

afterEach(() => {
  jest.useRealTimers();
});

test('crowds rest the longer the more often nobody came back, and shorter for each that did', async () => {
  stopTimers();
  const crowds = createReturningCrowds({ first: 10, longest: 800 });
  /** The wait of the first of three who may come back. */
  function first(): { crowd: Crowd; wait: Promise<void> | undefined } {
    crowds.answered('a', { size: 3 });
    const crowd: Crowd = { size: 1 };
    return { crowd, wait: crowds.gathering('a', crowd) };
  }
  const stayAway = (): Promise<void> | undefined => {
    const { wait } = first();
    expect(wait).toBeDefined();
    jest.advanceTimersByTime(5);
    return wait;
  };
  async function comeBack(): Promise<void> {
    const { crowd, wait } = first();
    expect(wait).toBeDefined();
    for (const _each of [2, 3]) joinCrowd(crowd);
    await wait;
    crowds.answered('a', crowd);
  }
  function expectRest(long: number): void {
    jest.advanceTimersByTime(long - 1);
    expect(first().wait).toBeUndefined();
    jest.advanceTimersByTime(1);
  }
  for (const long of [10, 160, 800, 800]) {
    await stayAway();
    expectRest(long);
  }
  await comeBack();
  await comeBack();
  await stayAway();
  expectRest(200);
  expect(first().wait).toBeDefined();
});
