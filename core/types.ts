/**
 * The open interfaces. Modules of core and plugins merge into them, so that configuration, options and hook
 * payloads are checked by the compiler wherever they are used:
 *
 *   declare module 'heddle' { interface PluginOptions { color: { palette: string[] } } }
 */

/** Plugin name → the options its `config` accepts in `config/plugins`. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface PluginOptions {}

/** Configuration file name (`server`, `api`, …) → its checked content. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface ConfigSections {}

/** Module or plugin name → its bag of hooks. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface HookBags {}
