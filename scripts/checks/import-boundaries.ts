import { type Import, importsOf, isTest, type Source } from './sources';

const folderOf = (path: string): string => path.split('/')[0]!;
/** Plugins to read and copy, which have to work in anybody's application. */
const isExample = (path: string): boolean => path.startsWith('plugins/examples/');
/** `plugins/rest` for a file of that plugin, `plugins` for the list of them. */
const pluginOf = (path: string): string =>
  path
    .split('/')
    .slice(0, isExample(path) ? 3 : 2)
    .join('/')
    .replace(/\/[^/]+\.ts$/, '');
const isIndexOf = (plugin: string, target: string): boolean => target === `${plugin}/index.ts`;

/** Why a file may not import another; undefined when it may. */
function objection(from: string, target: string): string | undefined {
  const [own, other] = [folderOf(from), folderOf(target)];
  if (own === 'core') return other === 'core' ? undefined : 'core stands on nothing but itself';
  if (isExample(from))
    return pluginOf(from) === pluginOf(target)
      ? undefined
      : "examples use Heddle by its name, 'heddle', and no other plugin";
  // What is not shipped may look behind an index: tests set up and take apart what they test.
  if (own === 'plugins' && isTest(from) && (other === 'core' || other === 'plugins')) return undefined;
  if (own === 'plugins') {
    if (other === 'core') {
      return target === 'core/index.ts' ? undefined : 'plugins use core through core/index.ts';
    }
    if (other !== 'plugins') return 'plugins use core and each other';
    const isOwn = pluginOf(from) === pluginOf(target);
    return isOwn || isIndexOf(pluginOf(target), target) ? undefined : "plugins use each other's index.ts";
  }
  if (own === 'scripts' && !isTest(from) && other === 'plugins' && pluginOf(target) !== 'plugins')
    return isIndexOf(pluginOf(target), target) ? undefined : 'a plugin is used through its index.ts';
  if (/^conformance\/(runner|targets|reporters|command|own)\//.test(from))
    return other === 'conformance' ? undefined : 'the runner knows no implementation';
  if (!isTest(from) && (own === 'config' || from.startsWith('conformance/fixtures/')))
    return other === own ? undefined : "applications use Heddle by its name, 'heddle'";
  return undefined;
}

/** Imports that cross a boundary. `declare module` is none: it adds to open interfaces. */
export function crossedBoundaries(sources: readonly Source[]): string[] {
  const known = new Set(sources.map(({ path }) => path));
  const crossing = (path: string, { specifier, target }: Import): string[] => {
    const reason = target && objection(path, target);
    return reason ? [`${path} imports '${specifier}': ${reason}.`] : [];
  };
  return sources.flatMap((source) => importsOf(source, known).flatMap((each) => crossing(source.path, each)));
}
