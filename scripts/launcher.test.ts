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

/** At the end of a process: whether that code is good for it, and how much room V8 takes for what is new. */
const looks = `
process.on('exit', () => {
  const { Script } = require('node:vm');
  const { readFileSync, writeFileSync } = require('node:fs');
  const { cachedDataRejected } = new Script('(a) => a + 1', { cachedData: readFileSync('${kept}') });
  let held = [];
  for (let made = 0; made < 3_000_000; made += 1) {
    if (made % 50_000 === 0) held = [];
    held.push({ made });
  }
  const { space_size } = require('node:v8').getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  writeFileSync('${seen}', JSON.stringify({ cachedDataRejected, space_size }));
});
`;

test("new objects have little room, and Node's own modules come compiled", () => {
  const cwd = mkdtempSync(join(tmpdir(), 'heddle-launcher-'));
  try {
    writeFileSync(join(cwd, 'looks.js'), looks);
    execFileSync(process.execPath, ['-e', keeps], { cwd, env: { ...process.env, NODE_OPTIONS: '' } });
    // The launcher is to run the same Node.
    const PATH = `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`;
    const NODE_OPTIONS = `--require ${join(cwd, 'looks.js')}`;
    execFileSync(launcher, ['--version'], { cwd, env: { ...process.env, PATH, NODE_OPTIONS } });
    const { cachedDataRejected, space_size } = JSON.parse(readFileSync(join(cwd, seen), 'utf8'));
    expect({ cachedDataRejected, space_size }).toEqual({ cachedDataRejected: false, space_size: 8 * megabyte });
  } finally {
    rmSync(cwd, { recursive: true });
  }
});
