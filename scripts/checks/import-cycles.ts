import { importsOf, type Source } from './sources';

/** Files that wait for each other while they load. */
export function importCycles(sources: readonly Source[]): string[] {
  const known = new Set(sources.map(({ path }) => path));
  const targets = new Map(
    sources.map((source) => [
      source.path,
      importsOf(source, known).flatMap(({ target, atLoad }) => (atLoad && target && known.has(target) ? [target] : [])),
    ]),
  );
  const done = new Set<string>();
  const cycles: string[] = [];

  function visit(path: string, chain: readonly string[]): void {
    if (chain.includes(path)) {
      cycles.push(`${[...chain.slice(chain.indexOf(path)), path].join(' → ')}: these files import each other.`);
      return;
    }
    if (done.has(path)) return;
    for (const target of targets.get(path) ?? []) visit(target, [...chain, path]);
    done.add(path);
  }

  for (const { path } of sources) visit(path, []);
  return cycles;
}
