import { AsyncSeriesHook, SyncHook, SyncWaterfallHook } from 'tapable';
import type { Config } from './config';
import type { Services } from './services';

/** The life of an application. */
export const lifecycleHooks = () =>
  Object.freeze({
    /** After every plugin was applied, with the whole configuration; what a tap returns replaces it. */
    configure: new SyncWaterfallHook<[config: Config]>(['config']),
    /** To register services in the application's container. */
    provide: new SyncHook<[services: Services]>(['services']),
    /** To connect, migrate and seed; content types are known, requests are not yet answered. */
    boot: new AsyncSeriesHook<[]>([]),
    /** When the application answers requests. */
    ready: new AsyncSeriesHook<[]>([]),
    /**
     * Soon after `heddle start` listens, or when a host calls `warm()`: to load what first requests need and starts do
     * not. All taps run, even when some fail.
     */
    warm: new AsyncSeriesHook<[]>([]),
    /** When the application shuts down, in the reverse order of the plugins. All taps run, even when some fail. */
    close: new AsyncSeriesHook<[]>([]),
  });

export type LifecycleHooks = ReturnType<typeof lifecycleHooks>;

declare module '../types' {
  interface HookBags {
    lifecycle: LifecycleHooks;
  }
}
