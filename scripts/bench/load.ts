import { fork } from 'node:child_process';
import { join } from 'node:path';
import { interrupted } from './interruption';
import type { BenchRequest } from './requests';

export interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly requests: readonly BenchRequest[];
  readonly connections: number;
  readonly seconds: number;
}

export interface LoadResult {
  /** All that came, those that count for nothing else included. */
  readonly answers: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Answers that are none: another status than 2xx, or errors over GraphQL. They count for nothing else. */
  readonly failed: number;
  /** What the first of them said. */
  readonly failure?: string;
}

/** Sends requests over so many connections for a while, one at a time on each. */
export function load(what: Load): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const child = fork(join(__dirname, 'load-process.js'), { serialization: 'advanced', signal: interrupted });
    child.once('message', (result) => resolve(result as LoadResult));
    child.on('error', reject);
    child.once('exit', (code) => code !== 0 && reject(new Error(`the load ended with the code ${code}`)));
    child.send(what);
  });
}
