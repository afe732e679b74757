import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { BenchRequest } from './requests';

export interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly requests: readonly BenchRequest[];
  readonly connections: number;
  readonly seconds: number;
}

export interface LoadResult {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Answers with a status of 400 or above. */
  readonly failed: number;
}

/** Sends requests over so many connections for a while, one at a time on each. */
export function load(what: Load): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const child = fork(join(__dirname, 'load-process.js'));
    child.once('message', (result) => resolve(result as LoadResult));
    child.once('error', reject);
    child.once('exit', (code) => code !== 0 && reject(new Error(`the load ended with the code ${code}`)));
    child.send(what);
  });
}
