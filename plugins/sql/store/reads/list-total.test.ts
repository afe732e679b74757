import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadPlan } from '../../../../core';
import type { Database } from '../../database/database';
import { type ListTotal, leastOf, prepareTotal } from './list-total';
import { createTotals } from './totals';

const version = { version: '1', isAtRest: true };

/** A list of so many on a database that is watched, and what it is asked. */
function listOf(total: number, takes: number) {
  const asked = { counts: 0, looks: 0 };
  const database = {
    async rows() {
      asked.counts += 1;
      await sleep(takes);
      return [[total]];
    },
    watch: {
      async look() {
        asked.looks += 1;
        return version;
      },
      sees: async () => true,
    },
  };
  const count = { sql: 'select count(*)', parameters: { values: () => [] } };
  const list = prepareTotal(count as never, () => ['things'], database as unknown as Database, createTotals());
  return { list, asked };
}

const shown = (list: ListTotal, least = 25, seen = list.look()) => ({
  inside: undefined,
  version: undefined,
  seen,
  least,
});

test('a list whose total was dear to count is looked at beside its page, and only then', async () => {
  const { list, asked } = listOf(1_000, 3);
  expect(list.look()).toBeUndefined();
  expect(await list.of([], shown(list))).toBe(1_000);
  // What it costs is known by now; that it is worth a look is decided where the total is asked for.
  expect(await list.of([], shown(list))).toBe(1_000);
  expect(asked).toEqual({ counts: 2, looks: 1 });
  const seen = list.look();
  expect(asked.looks).toBe(2);
  expect(await list.of([], shown(list, 25, seen))).toBe(1_000);
  expect(asked.counts).toBe(2);
  list.unasked();
  expect(list.look()).toBeUndefined();
});

/** A list of so many on a database whose answers tell their version. */
function listOfServer(total: number) {
  const server = { opened: 1, counts: 0 };
  const database = {
    opened: () => server.opened,
    rows() {
      server.counts += 1;
      return [[total, '7:7:']];
    },
  };
  const count = { sql: 'select count(*)', parameters: { values: () => [] } };
  const list = prepareTotal(count as never, () => ['things'], database as unknown as Database, createTotals());
  const read = (least: number) => list.of([], { inside: undefined, version: '7:7:', seen: undefined, least });
  return { server, read };
}

test('a total that was told over other connections is counted anew, for a server that comes back may tell its version again', () => {
  const { server, read } = listOfServer(1_000);
  expect([read(25), read(25), server.counts]).toEqual([1_000, 1_000, 1]);
  server.opened += 1;
  expect([read(25), read(25), server.counts]).toEqual([1_000, 1_000, 2]);
});

test('a page that shows more than the total of its version has it counted anew', () => {
  const { server, read } = listOfServer(1_000);
  read(25);
  expect([read(1_001), server.counts]).toEqual([1_000, 2]);
});

test('a page that shows more than the total that was known has it counted anew', async () => {
  const { list, asked } = listOf(1_000, 3);
  for (let time = 0; time < 3; time += 1) await list.of([], shown(list));
  expect(asked.counts).toBe(2);
  expect(await list.of([], shown(list, 1_001))).toBe(1_000);
  expect(asked.counts).toBe(3);
});

test.each([
  ['in the middle', {}, 50, 25, 75],
  ['behind the end', {}, 5_000, 0, 0],
  ['behind a place', { after: [] }, null, 25, 25],
])('a page %s shows how many there are at least', (_, plan, start, count, least) => {
  expect(leastOf({ start: 0, ...plan } as unknown as ReadPlan, [start], { count })).toBe(least);
});
