import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { processors, quota } from './processors';

// What the files of Linux say of the time that a group of processes may take.

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'heddle-groups-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function has(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), `${text}\n`);
  }
}

test('a group of the second generation', () => {
  has({ 'cpu.max': '150000 100000' });
  expect(quota('0::/\n', root)).toBe(1.5);
});

test('the tightest of a group and those around it', () => {
  has({ 'a/b/cpu.max': 'max 100000', 'a/cpu.max': '50000 100000', 'cpu.max': '400000 100000' });
  expect(quota('0::/a/b', root)).toBe(0.5);
});

test('a group of the first generation, whose container shows itself as the outermost', () => {
  has({ 'cpu/cpu.cfs_quota_us': '200000', 'cpu/cpu.cfs_period_us': '100000' });
  expect(quota('3:memory:/docker/x\n2:cpu,cpuacct:/docker/x\n0::/docker/x', root)).toBe(2);
});

test.each([
  ['no file', {}],
  ['one that says so', { 'cpu.max': 'max 100000', 'cpu/cpu.cfs_quota_us': '-1', 'cpu/cpu.cfs_period_us': '100000' }],
  ['one that says something else', { 'cpu.max': 'unknown' }],
])('no limit by %s', (_name, files) => {
  has(files);
  expect(quota('1:cpu:/\n0::/', root)).toBe(Infinity);
});

test('no limit where there are no groups', () => {
  expect(quota('', root)).toBe(Infinity);
});

test('a group of the first generation below another, by the names that systems give', () => {
  has({ 'cpu/system.slice/cpu.cfs_quota_us': '50000', 'cpu/system.slice/cpu.cfs_period_us': '100000' });
  has({ 'cpu/system.slice/heddle.service/cpu.cfs_quota_us': '-1' });
  expect(quota('4:cpu,cpuacct:/system.slice/heddle.service', root)).toBe(0.5);
});

test.each([
  [8, 1.5, 1],
  [8, 0.25, 1],
  [2, 4, 2],
  [4, Infinity, 4],
])('of %p processors and a quota of %p a process may keep %p busy', (all, most, count) => {
  expect(processors(all, most)).toBe(count);
});

test('there is one at least', () => {
  expect(processors()).toBeGreaterThanOrEqual(1);
});
