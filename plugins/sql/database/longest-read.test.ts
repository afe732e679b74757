import { told } from './failures';
import { longestRead, orEnded } from './longest-read';
import { patience } from './patience';

const never = new Promise<never>(() => undefined);
let ended: number;
const end = async (): Promise<void> => void ended++;

beforeEach(() => {
  jest.useFakeTimers();
  ended = 0;
});
afterEach(() => jest.useRealTimers());

test('what is found in time is answered, and so is what fails', async () => {
  expect(await orEnded(Promise.resolve('found'), end)).toBe('found');
  const failure = new Error('no');
  await expect(orEnded(Promise.reject(failure), end)).rejects.toBe(failure);
  await jest.advanceTimersByTimeAsync(2 * longestRead);
  expect(ended).toBe(0);
});

test('what takes longer is ended, and told so', async () => {
  const outcome = orEnded(never, end).catch(told);
  await jest.advanceTimersByTimeAsync(longestRead - 1);
  expect(ended).toBe(0);
  await jest.advanceTimersByTimeAsync(1);
  expect(ended).toBe(1);
  expect(await outcome).toMatchObject({
    status: 503,
    message: 'The database has ended the statement: ask for less, or try again',
  });
});

test('whoever waits for what can not be ended is told so, too', async () => {
  const failure = new Error('out of connections');
  const outcome = orEnded(never, () => Promise.reject(failure)).catch(told);
  await jest.advanceTimersByTimeAsync(longestRead);
  expect(await outcome).toMatchObject({ status: 503, cause: { cause: failure } });
});

test('nor does anybody wait for an end that never comes', async () => {
  const outcome = orEnded(never, () => never).catch(told);
  await jest.advanceTimersByTimeAsync(longestRead + patience);
  expect(await outcome).toMatchObject({ status: 503 });
});
