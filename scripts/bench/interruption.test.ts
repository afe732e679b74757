import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

let scratch: string;
let bench: ChildProcess | undefined;

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'heddle-interruption-'));
});
afterEach(() => {
  bench?.kill('SIGKILL');
  for (const pid of services()) process.kill(Number(pid), 'SIGKILL');
  rmSync(scratch, { recursive: true, force: true });
});

const placesIn = (folder: string): string[] => readdirSync(folder).filter((name) => name.startsWith('heddle-bench-'));

const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
};
/** Services on a place of this test, whoever is their parent by now. */
const services = (): string[] =>
  readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(`${scratch}/heddle-bench-`));

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s leaves neither a service behind nor a folder',
  async (signal) => {
    const args = ['-r', 'esbuild-register', join(__dirname, 'index.ts'), '--articles', '10k'];
    const child = spawn(process.execPath, args, { env: { ...process.env, TMPDIR: scratch }, stdio: 'ignore' });
    bench = child;
    while (services().length === 0 && child.exitCode === null) await sleep(50);
    // Into the middle of filling it.
    await sleep(1_500);
    expect(placesIn(scratch)).toHaveLength(1);
    child.kill(signal);
    const [code] = await once(child, 'exit');
    expect(code).toBe(signal === 'SIGINT' ? 130 : 143);
    expect(services()).toEqual([]);
    expect(placesIn(scratch)).toEqual([]);
  },
  60_000,
);
