import { isGoodAnswer } from './good-answer';
import { memoriesLine, startUpsLine } from './process-cost';

test('start-up is the median of all rounds, held against a tenth of the peer', () => {
  const starts = [400, 300, 900].map((milliseconds) => ({ candidate: 'heddle' as const, milliseconds }));
  const peer = { candidate: 'peer' as const, milliseconds: 3_600 };
  expect(startUpsLine([...starts, peer])).toBe(
    'start-up: heddle 400 ms, peer 3600 ms; 9.0 times less than the peer of 10 !',
  );
  expect(startUpsLine([...starts, { ...peer, milliseconds: 4_400 }])).toMatch(/11\.0 times less than the peer of 10$/);
  expect(startUpsLine(starts)).toBe('start-up: heddle 400 ms');
});

test('memory after load is held against a fifth of the peer', () => {
  const ours = { candidate: 'heddle' as const, idle: 90, underLoad: 150, afterLoad: 100, failed: 0 };
  expect(memoriesLine([ours, { candidate: 'peer', idle: 300, underLoad: 600, afterLoad: 480, failed: 0 }])).toBe(
    'memory: heddle 90 MB, under load 150 MB, after it 100 MB, peer 300 MB, under load 600 MB, after it 480 MB; 4.8 times less than the peer of 5 !',
  );
  expect(
    memoriesLine([ours, { candidate: 'peer', idle: 300, underLoad: 600, afterLoad: 500, failed: 0 }]),
  ).not.toContain('!');
  expect(memoriesLine([{ ...ours, failed: 3 }])).toContain('after it 100 MB (3 requests failed)');
});

test('an answer counts when its status is 2xx and, over GraphQL, no errors are in it', () => {
  const failed = Buffer.from('{"errors":[{"message":"no"}],"data":null}');
  expect([200, 201, 204, 304, 302, 404, 500].map((status) => isGoodAnswer('/api/x', status, () => failed))).toEqual([
    ...[true, true, true],
    ...[false, false, false, false],
  ]);
  expect(isGoodAnswer('/graphql', 200, () => failed)).toBe(false);
  expect(isGoodAnswer('/graphql', 200, () => Buffer.from('{"data":{}}'))).toBe(true);
});
