import type { AnyPlugin } from '../kernel/plugin';

/** The plugins that come with a distribution, by the names that `config/plugins` uses. */
export interface PluginCatalogue {
  /** Loaded only when switched on; `default` says whether they are on where `config/plugins` is silent. */
  readonly plugins: Readonly<Record<string, { load(): AnyPlugin; readonly default?: boolean }>>;
  /** Plugins of existing projects that are accepted and do nothing here, each with the reason. */
  readonly inert: Readonly<Record<string, string>>;
}
