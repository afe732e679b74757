import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { launcher } from './ci/running';

const kept = 'kept';
const seen = 'seen.json';
const megabyte = 2 ** 20;

/** Compiles some code as Node does its own, for a V8 without options. */
const keeps = `
const { Script } = require('node:vm');
require('node:fs').writeFileSync('${kept}', new Script('(a) => a + 1').createCachedData());
`;

/**
 * At the end of a process: whether that code is good for it, how much room V8 takes for what is new, and whether it has looked
 * for garbage among as much as a start loads, all of which stays.
 */
const looks = `
process.on('exit', () => {
  const { Script } = require('node:vm');
  const { readFileSync, writeFileSync } = require('node:fs');
  const { cachedDataRejected } = new Script('(a) => a + 1', { cachedData: readFileSync('${kept}') });
  const { GCProfiler, getHeapSpaceStatistics } = require('node:v8');
  const profiler = new GCProfiler();
  profiler.start();
  const loaded = [];
  for (let made = 0; made < 12; made += 1) loaded.push(Array.from({ length: 2 ** 17 }, () => made));
  const collections = profiler.stop().statistics.filter(({ gcType }) => !gcType.startsWith('Scavenge')).length;
  let held = [];
  for (let made = 0; made < 3_000_000; made += 1) {
    if (made % 50_000 === 0) held = [];
    held.push({ made });
  }
  const { space_size } = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  writeFileSync('${seen}', JSON.stringify({ cachedDataRejected, space_size, collections, loaded: loaded.length }));
});
`;

/** Node 22 has V8 look for garbage when it likes, whatever room it was told to begin with. */
const collections = process.versions.node.startsWith('22.') ? expect.any(Number) : 0;

/**
 * How often, at the end of a process, memory must be taken anew for an answer of 160 kB, of which each leaves a little that stays
 * for a while, as in a service.
 */
const answers = `
process.on('exit', () => {
  const kept = Array(50);
  function taken() {
    const before = process.resourceUsage().minorPageFault;
    for (let answer = 0; answer < 1_000; answer += 1) {
      Buffer.allocUnsafeSlow(160_000).fill(1);
      kept[answer % 50] = Array.from({ length: 3_000 }, (_, made) => ({ made }))[0];
    }
    return (process.resourceUsage().minorPageFault - before) / 1_000;
  }
  taken();
  require('node:fs').writeFileSync('${seen}', JSON.stringify(taken()));
});
`;

const { glibcVersionRuntime } = (process.report.getReport() as { header: { glibcVersionRuntime?: string } }).header;

function atTheEnd(code: string, environment: NodeJS.ProcessEnv = {}): unknown {
  const cwd = mkdtempSync(join(tmpdir(), 'heddle-launcher-'));
  try {
    writeFileSync(join(cwd, 'looks.js'), code);
    execFileSync(process.execPath, ['-e', keeps], { cwd, env: { ...process.env, NODE_OPTIONS: '' } });
    // The launcher is to run the same Node.
    const PATH = `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`;
    const NODE_OPTIONS = `--require ${join(cwd, 'looks.js')}`;
    execFileSync(launcher, ['--version'], { cwd, env: { ...process.env, ...environment, PATH, NODE_OPTIONS } });
    return JSON.parse(readFileSync(join(cwd, seen), 'utf8'));
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

test("new objects have little room, what a start loads has enough, and Node's own modules come compiled", () => {
  expect(atTheEnd(looks)).toEqual({ cachedDataRejected: false, space_size: 8 * megabyte, collections, loaded: 12 });
});

(glibcVersionRuntime === undefined ? test.skip : test)(
  'the C library of GNU keeps what large answers leave for those that come, or what it was told to keep',
  () => {
    const own = Number(atTheEnd(answers, { MALLOC_TRIM_THRESHOLD_: '', MALLOC_MMAP_THRESHOLD_: undefined }));
    const least = { MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_MMAP_THRESHOLD_: '131072' };
    const told = Number(atTheEnd(answers, least));
    // Where nobody counts them there are none.
    if (told > 0) expect(told).toBeGreaterThan(5 * own);
    expect(own).toBeLessThan(3);
  },
);
