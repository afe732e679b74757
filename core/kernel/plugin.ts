import type { ZodType } from 'zod';
import type { Heddle } from './heddle';

/**
 * A plugin: a plain object. `apply` taps hooks and registers, and does no I/O; what needs I/O belongs into a tap of
 * `lifecycle.boot`.
 */
export interface Plugin<Options = unknown> {
  readonly name: string;
  /** Plugins that must be present; they are applied before this one. */
  readonly requires?: readonly string[];
  /** Plugins that are applied before this one when they are present. */
  readonly after?: readonly string[];
  /** Plugins that are applied after this one when they are present. */
  readonly before?: readonly string[];
  /** Range of Heddle versions that it works with, for example `^1.2.0`. */
  readonly heddle?: string;
  /** Checks the `config` of this plugin in `config/plugins`; without it, any option is refused. */
  readonly options?: ZodType<Options>;
  apply(heddle: Heddle, options: Options): void;
}

/** A plugin whose options are of any type, as lists of plugins hold them. */
// biome-ignore lint/suspicious/noExplicitAny: the options' type is the plugin's own affair
export type AnyPlugin = Plugin<any>;

/** Gives a plugin literal its types: `apply`'s second parameter is what `options` produces. */
export function definePlugin<Options = Record<string, never>>(plugin: Plugin<Options>): Plugin<Options> {
  return plugin;
}

export function isPlugin(value: unknown): value is AnyPlugin {
  const candidate = value as AnyPlugin | null;
  return (
    typeof candidate === 'object' &&
    candidate !== null &&
    typeof candidate.name === 'string' &&
    typeof candidate.apply === 'function'
  );
}
