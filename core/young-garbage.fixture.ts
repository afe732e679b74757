import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// For tests: what is left by work that is done, but for garbage that V8 finds among what is young.

/** What collects garbage that is young still, as V8 does all the time: what got old stays. */
export function youngCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: { type: 'minor' }) => void;
  setFlagsFromString('--no-expose-gc');
  // What is collected is freed at once then, and no longer counted.
  setFlagsFromString('--no-concurrent-array-buffer-sweeping');
  return () => collect({ type: 'minor' });
}

/** The most bytes of buffers that rounds of work leave at once, each with a collection of what is young behind it. */
export async function mostBytesLeft(rounds: number, work: () => void): Promise<number> {
  const collectYoung = youngCollector();
  collectYoung();
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  for (let round = 0; round < rounds; round += 1) {
    work();
    collectYoung();
    await turn();
    // A full collection that comes in between would hide what it found.
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  return most;
}
