import type { FullTap, Hook as TapableHook } from 'tapable';
import { HeddleError } from '../errors';
import { ProjectError, problem, refuseIfAny } from './problems';

// biome-ignore lint/suspicious/noExplicitAny: a bag holds hooks of every signature
export type AnyHook = TapableHook<any, any>;
export type HookBag = Readonly<Record<string, AnyHook>>;

/** An unexpected error inside a tap, with the plugin and the hook it happened in. */
export class TapError extends Error {
  override readonly name = 'TapError';

  constructor(
    readonly plugin: string,
    readonly hook: string,
    override readonly cause: unknown,
  ) {
    super(`plugin "${plugin}", hook ${hook}: ${cause instanceof Error ? cause.message : String(cause)}`);
    if (cause instanceof Error && cause.stack) this.stack = `${this.name}: ${this.message}\n${cause.stack}`;
  }
}

/** Calls and milliseconds spent in a plugin's taps of one hook. */
export interface TapTime {
  plugin: string;
  hook: string;
  calls: number;
  milliseconds: number;
}

export interface TapWatch {
  /** Place of a plugin in the order of application, or undefined for a name that no plugin has. */
  position(plugin: string): number | undefined;
  /** Says that a plugin's tap begins; the answer says that it ends. Registrations happen in between. */
  enter(plugin: string): () => void;
  /** Set to measure; every tap then costs two clock readings. */
  times?: Map<string, TapTime>;
}

/** A hook of which all taps run, even when some fail. */
export interface RunsAll {
  /** Whether the plugin that was applied last comes first. */
  readonly isBackwards: boolean;
  failed(error: unknown): void;
}

type TapFunction = (...args: unknown[]) => unknown;

const named = (error: unknown, plugin: string, hook: string): unknown =>
  error instanceof HeddleError || error instanceof ProjectError || error instanceof TapError
    ? error
    : new TapError(plugin, hook, error);

function guarded(fn: TapFunction, plugin: string, hook: string, enter: TapWatch['enter']): TapFunction {
  return (...args) => {
    const leave = enter(plugin);
    try {
      const result = fn(...args);
      if (!(result instanceof Promise)) return result;
      return result.catch((error) => {
        throw named(error, plugin, hook);
      });
    } catch (error) {
      throw named(error, plugin, hook);
    } finally {
      leave();
    }
  };
}

function timed(fn: TapFunction, plugin: string, hook: string, times: Map<string, TapTime>): TapFunction {
  const key = `${plugin} ${hook}`;
  const time = times.get(key) ?? { plugin, hook, calls: 0, milliseconds: 0 };
  times.set(key, time);
  const since = (start: number): void => {
    time.calls += 1;
    time.milliseconds += performance.now() - start;
  };
  return (...args) => {
    const start = performance.now();
    const result = fn(...args);
    if (result instanceof Promise) return result.finally(() => since(start));
    since(start);
    return result;
  };
}

const goingOn =
  (fn: TapFunction, failed: RunsAll['failed']): TapFunction =>
  async (...args) => {
    try {
      await fn(...args);
    } catch (error) {
      failed(error);
    }
  };

/** Says of a hook that does not wait which one it is, and how it is tapped. */
function refuseWaiting(hook: AnyHook, name: string): void {
  const refuse = (given: string | { readonly name: string }): never => {
    const plugin = (typeof given === 'string' ? given : given.name).split(':')[0];
    throw new ProjectError([
      problem(`plugin "${plugin}"`, `taps ${name} with a function that may wait, and nobody waits there.`, 'Use tap.'),
    ]);
  };
  Object.assign(hook, { tapPromise: refuse, tapAsync: refuse });
}

/**
 * Wraps every tap of the bag once: its errors name plugin and hook, its time is measured when asked for. A tap is
 * named after its plugin, `'color'` or `'color:what-it-does'`. The hooks that run all their taps are told by their names.
 */
export function watchBag(
  bagName: string,
  bag: HookBag,
  watch: TapWatch,
  runningAll: Readonly<Record<string, RunsAll>> = {},
): void {
  for (const [hookName, hook] of Object.entries(bag)) {
    const name = `${bagName}.${hookName}`;
    if (hook.constructor.name.startsWith('Sync')) refuseWaiting(hook, name);
    hook.intercept({
      register(tap: FullTap) {
        const plugin = tap.name.split(':')[0]!;
        const position = watch.position(plugin);
        if (position === undefined) {
          refuseIfAny([
            problem(
              `hook ${name}`,
              `is tapped as "${tap.name}", but no plugin has that name.`,
              'Name a tap after its plugin: "name" or "name:purpose".',
            ),
          ]);
        }
        if (tap.type === 'async') {
          refuseIfAny([problem(`plugin "${plugin}"`, `taps ${name} with a callback.`, 'Use tap or tapPromise.')]);
        }
        const fn = guarded(tap.fn as TapFunction, plugin, name, watch.enter);
        const measured = watch.times ? timed(fn, plugin, name, watch.times) : fn;
        const all = runningAll[hookName];
        if (!all) return { ...tap, fn: measured };
        const place = all.isBackwards ? { stage: -position! } : {};
        return { ...tap, ...place, type: 'promise' as const, fn: goingOn(measured, all.failed) };
      },
    });
  }
}

/** Whether any plugin taps the hook. (`isUsed` also counts the interceptors, which every hook has.) */
export const isTapped = (hook: { readonly taps: readonly unknown[] }): boolean => hook.taps.length > 0;

/** What is tapped, for `doctor`. */
export function tapsOf(bag: HookBag): { hook: string; taps: string[] }[] {
  return Object.entries(bag).map(([hook, { taps }]) => ({
    hook,
    taps: (taps as { name: string }[]).map((tap) => tap.name),
  }));
}
