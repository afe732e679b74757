import type { Answer, Target, WireRequest } from '../targets/target';
import { Interrupted, type NoAnswer, type Patience, retryAfter, send } from './send';

const patience: Patience = { timeout: 1000, patience: 60_000, retries: 2 };
const ok: Answer = { status: 200, headers: {}, text: '' };
const failing = (code: string) =>
  Object.assign(new Error('fetch failed'), { cause: Object.assign(new Error(code), { code }) });

/** Fails so often, and answers then. */
function flaky(failures: number, code: string) {
  let asked = 0;
  const target: Target = {
    name: 'flaky',
    features: new Set(),
    exclusive: false,
    send: async () => {
      asked += 1;
      if (asked <= failures) throw failing(code);
      return ok;
    },
  };
  return { target, asked: () => asked };
}

const request = (method: string): WireRequest => ({ method, path: '/', headers: {} });

test('reading is tried again, so often and no more', async () => {
  const twice = flaky(2, 'ECONNRESET');
  expect(await send(twice.target, request('GET'), patience)).toBe(ok);
  const thrice = flaky(3, 'ECONNRESET');
  await expect(send(thrice.target, request('GET'), patience)).rejects.toThrow('no answer: ECONNRESET');
  expect(thrice.asked()).toBe(3);
});

test('writing is tried again only where it never arrived', async () => {
  const reset = flaky(1, 'ECONNRESET');
  await expect(send(reset.target, request('POST'), patience)).rejects.toMatchObject({ isUnsent: false } as NoAnswer);
  expect(reset.asked()).toBe(1);
  const refused = flaky(1, 'ECONNREFUSED');
  expect(await send(refused.target, request('POST'), patience)).toBe(ok);
});

test('an interrupt ends the waiting for a busy target', async () => {
  const stop = new AbortController();
  const busy: Target = {
    ...flaky(0, '').target,
    send: async () => ({ ...ok, status: 429, headers: { 'retry-after': '30' } }),
  };
  const waiting = send(busy, request('GET'), patience, stop.signal);
  stop.abort();
  await expect(waiting).rejects.toBeInstanceOf(Interrupted);
});

test.each([
  ['2', 2000],
  ['0.5', 500],
  ['Thu, 01 Jan 1970 00:00:10 GMT', 10_000],
  ['86400', 60_000],
  ['0', undefined],
  ['soon', undefined],
  [undefined, undefined],
])('Retry-After %s is to wait %s ms', (header, wait) => {
  expect(retryAfter(header, 0)).toBe(wait);
});
