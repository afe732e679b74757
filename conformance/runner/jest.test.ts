import { inProcessTarget } from '../targets/in-process';
import { describeRows } from './jest';
import type { Row } from './row';
import { tinyService } from './tiny-service';

const row = (id: string, over: Partial<Row> = {}): Row => ({
  id,
  title: `Row ${id}`,
  area: 'Tiny',
  level: 'MUST',
  rules: ['spec.a'],
  source: 'specification',
  needs: ['rest'],
  steps: [{ request: { method: 'POST', path: '/api/products', body: { data: {} } }, expect: { status: 201 } }],
  ...over,
});

const played = tinyService();
let stopped = false;

describeRows(() => inProcessTarget(played.listener), {
  rows: [row('passes'), row('is-skipped', { needs: ['graphql'], steps: [] })],
  features: ['rest'],
  stop: async () => {
    stopped = true;
  },
});

/** Collects what the adapter registers, so that a failing row can be looked at without failing here. */
function registered(rows: Row[], service = tinyService()): Record<string, () => Promise<void>> {
  const tests: Record<string, () => Promise<void>> = {};
  const real = { describe, test, beforeAll, afterAll };
  let start = async () => {};
  const collect = (name: string, body: () => Promise<void>) => {
    tests[name] = async () => {
      await start();
      await body();
    };
  };
  Object.assign(globalThis, {
    describe: (_: string, body: () => void) => body(),
    test: Object.assign(collect, { skip: () => undefined }),
    beforeAll: (body: () => Promise<void>) => {
      start = body;
    },
    afterAll: () => undefined,
  });
  try {
    describeRows(() => inProcessTarget(service.listener), { rows });
  } finally {
    Object.assign(globalThis, real);
  }
  return tests;
}

test('a failing row fails its test and says why', async () => {
  const wrong = row('fails', { steps: [{ request: { method: 'GET', path: '/api/x' }, expect: { status: 200 } }] });
  await expect(registered([wrong])['fails: Row fails']?.()).rejects.toThrow(
    /GET \/api\/x[\s\S]*status: expected 200, got 404/,
  );
});

test('a row that turns out not to be playable fails its test: in process nothing may be in the way', async () => {
  const occupied = tinyService();
  occupied.documents.set('/api/setting', { siteName: 'Theirs' });
  const tests = registered([row('taken', { exclusive: '/api/setting' })], occupied);
  await expect(tests['taken: Row taken']?.()).rejects.toThrow(/skip\nGET \/api\/setting answered 200/);
});

afterAll(() => {
  expect(stopped).toBe(true);
  expect(played.documents.size).toBe(0);
});
