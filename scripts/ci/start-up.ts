import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packageRoot } from '../package-root';
import { writeLargeProject } from './large-project';
import { running } from './running';

const megabytes = (pid: number): number => {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
};

/** Milliseconds that a process stood in line for a processor, which others had: none of its doing. */
const waited = (pid: number): number => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Milliseconds that Node takes to do nothing on a machine for which the limits hold as they are. */
const usual = 50;

/** The same on this machine, now: a slower one is given as much more time. */
function bare(): number {
  const begun = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - begun;
}

interface Start {
  readonly milliseconds: number;
  readonly bare: number;
  readonly megabytes: number;
}

type Limits = Pick<Start, 'milliseconds' | 'megabytes'>;

/** The median of five starts on a database that an earlier start made. */
async function measured(appDir: string, dataDir: string): Promise<Start> {
  await (await running(appDir, dataDir)).stop();
  const runs: Start[] = [];
  for (let run = 0; run < 5; run += 1) {
    const nothing = bare();
    const service = await running(appDir, dataDir);
    runs.push({
      milliseconds: service.milliseconds - waited(service.pid),
      bare: nothing,
      megabytes: megabytes(service.pid),
    });
    const code = await service.stop();
    if (code !== 0) throw new Error(`a stop ended with the code ${code}:\n${service.output()}`);
  }
  return {
    milliseconds: median(runs.map((run) => run.milliseconds)),
    bare: median(runs.map((run) => run.bare)),
    megabytes: median(runs.map((run) => run.megabytes)),
  };
}

/** A machine that others use, too, can make any start slow: what is too slow is measured again, after a while. */
const rounds = 3;
const pause = 10_000;

async function check(name: string, appDir: string, dataDir: string, limits: Limits): Promise<void> {
  for (let round = 1; round <= rounds; round += 1) {
    const found = await measured(appDir, dataDir);
    const milliseconds = limits.milliseconds * Math.max(1, found.bare / usual);
    const isGood = found.milliseconds < milliseconds && found.megabytes < limits.megabytes;
    const figures = `${Math.round(found.milliseconds)} ms of ${Math.round(milliseconds)} (Node itself: ${Math.round(found.bare)}), ${Math.round(found.megabytes)} MB of ${limits.megabytes}`;
    console.log(`${isGood ? 'ok  ' : round < rounds ? 'slow' : 'FAIL'} ${name}: ${figures}`);
    if (isGood) return;
    if (round < rounds) await sleep(pause);
  }
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-start-'));
  try {
    const fixture = join(packageRoot, 'conformance', 'fixtures', 'app');
    await check('the fixture application', fixture, join(folder, 'fixture'), { milliseconds: 700, megabytes: 120 });
    const large = join(folder, 'large');
    writeLargeProject(large, 100);
    await check('100 content types', large, join(folder, 'data'), { milliseconds: 1_500, megabytes: 120 });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

void main();
