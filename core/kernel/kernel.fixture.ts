import { AsyncSeriesBailHook, SyncHook, SyncWaterfallHook } from 'tapable';
import { createKernel, type KernelOptions } from './kernel';
import { silentLogger } from './logger';
import type { AnyPlugin } from './plugin';

// For tests: a kernel with hooks of its own, and plugins for it.

export const bag = () =>
  Object.freeze({
    made: new SyncHook<[]>([]),
    text: new SyncWaterfallHook<[text: string]>(['text']),
    asked: new AsyncSeriesBailHook<[], string>([]),
  });

export type Bag = ReturnType<typeof bag>;

/** The kernel knows its bags by declaration merging; a bag of a test's own goes around that. */
export function kernelWith(options: Partial<KernelOptions> = {}) {
  const demo = bag();
  const app = { dir: '/app', dataDir: '/data', environment: 'test', env: {} };
  const bags = { demo } as unknown as KernelOptions['bags'];
  return { demo, kernel: createKernel({ version: '1.2.3', app, log: silentLogger, bags, ...options }) };
}

export const plugin = (
  name: string,
  apply: AnyPlugin['apply'] = () => undefined,
  rest: Partial<AnyPlugin> = {},
): AnyPlugin => ({ name, apply, ...rest });
export const demoOf = (heddle: { hooks: unknown }): Bag => (heddle.hooks as { demo: Bag }).demo;
