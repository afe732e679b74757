import { fork } from 'node:child_process';
import { join } from 'node:path';
import { cleanedUp } from '../clean-up';
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

/** Sends loads, one after the other, from a process of its own that lasts: its code is compiled by the first of them. */
export interface Loader {
  load(what: Load): Promise<LoadResult>;
  close(): void;
}

function openLoader(): Loader {
  const child = fork(join(__dirname, 'load-process.js'), { serialization: 'advanced', signal: interrupted });
  let failure: Error | undefined;
  let told: { resolve: (result: LoadResult) => void; reject: (error: Error) => void } | undefined;
  const fail = (error: Error): void => {
    failure ??= error;
    told?.reject(failure);
  };
  child.on('message', (result) => told?.resolve(result as LoadResult));
  child.on('error', fail);
  child.once('exit', (code) => fail(new Error(`what sends loads ended with the code ${code}`)));
  return {
    load: (what) =>
      new Promise((resolve, reject) => {
        if (failure) throw failure;
        told = { resolve, reject };
        child.send(what);
      }),
    close: () => child.disconnect(),
  };
}

/** Works with a process that loads are sent from. */
export async function withLoader<T>(work: (loader: Loader) => Promise<T>): Promise<T> {
  const loader = openLoader();
  return cleanedUp(
    () => work(loader),
    async () => loader.close(),
  );
}

/** Sends requests over so many connections for a while, one at a time on each. */
export const load = (what: Load): Promise<LoadResult> => withLoader((loader) => loader.load(what));
