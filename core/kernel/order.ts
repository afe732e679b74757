import { type Problem, problem, refuseIfAny } from './problems';
import { didYouMean } from './suggest';

/** What can say that it comes before or after others. */
export interface Ordered {
  readonly name: string;
  readonly requires?: readonly string[];
  readonly after?: readonly string[];
  readonly before?: readonly string[];
}

function checkNames(plugins: readonly Ordered[], where: (plugin: Ordered) => string): void {
  const problems: Problem[] = [];
  const names = new Set<string>();
  for (const plugin of plugins) {
    if (names.has(plugin.name)) {
      problems.push(problem(where(plugin), 'is registered twice.', 'Keep one of the two, or give one another name.'));
    }
    names.add(plugin.name);
  }
  for (const plugin of plugins) {
    for (const needed of plugin.requires ?? []) {
      if (names.has(needed)) continue;
      problems.push(
        problem(
          where(plugin),
          `requires plugin "${needed}", which is not there or is switched off.`,
          `Switch "${needed}" on in config/plugins.${didYouMean(needed, names)}`,
        ),
      );
    }
  }
  refuseIfAny(problems);
}

/** The plugins in the order in which they are applied: requirements first, else as given. */
export function inOrder<T extends Ordered>(plugins: readonly T[], what = 'plugin'): T[] {
  const where = (plugin: Ordered): string => `${what} "${plugin.name}"`;
  checkNames(plugins, where);
  const byName = new Map(plugins.map((plugin) => [plugin.name, plugin]));
  const earlier = new Map(
    plugins.map((plugin) => [plugin.name, new Set([...(plugin.requires ?? []), ...(plugin.after ?? [])])]),
  );
  for (const plugin of plugins) for (const later of plugin.before ?? []) earlier.get(later)?.add(plugin.name);

  const sorted: T[] = [];
  const done = new Set<string>();
  const visit = (plugin: T, chain: readonly string[]): void => {
    if (done.has(plugin.name)) return;
    if (chain.includes(plugin.name)) {
      const cycle = [...chain.slice(chain.indexOf(plugin.name)), plugin.name].join(' → ');
      refuseIfAny([
        problem(where(plugin), `waits for itself: ${cycle}.`, 'Remove one of these "requires", "after" or "before".'),
      ]);
    }
    for (const name of earlier.get(plugin.name) ?? []) {
      const dependency = byName.get(name);
      if (dependency) visit(dependency, [...chain, plugin.name]);
    }
    done.add(plugin.name);
    sorted.push(plugin);
  };
  for (const plugin of plugins) visit(plugin, []);
  return sorted;
}
