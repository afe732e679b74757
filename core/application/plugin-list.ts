import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import type { ChosenPlugin } from '../kernel/kernel';
import { type AnyPlugin, isPlugin } from '../kernel/plugin';
import { type Problem, problem } from '../kernel/problems';
import { schemaProblems } from '../kernel/schema-problems';
import { didYouMean } from '../kernel/suggest';
import type { PluginCatalogue } from './catalogue';
import { isTree } from './deep-merge';
import { type ModuleLoader, moduleExtensions } from './module-loader';

export interface PluginChoice {
  chosen: ChosenPlugin[];
  /** Folders that `resolve` names. */
  folders: string[];
  problems: Problem[];
  notices: string[];
}

interface Wish {
  enabled: boolean;
  config?: unknown;
  resolve?: string;
}

const wishSchema = z.union([
  z.boolean().transform((enabled) => ({ enabled })),
  z.strictObject({
    enabled: z.boolean().default(true),
    config: z.unknown().optional(),
    resolve: z.string().min(1).optional(),
  }),
]);

const where = 'config/plugins';

function wishOf(name: string, given: unknown): { wish?: Wish; problems: Problem[] } {
  const remedy = 'Remove it, or put it into "config" if it is an option of the plugin.';
  const { value, problems } = schemaProblems(wishSchema, given, where, name, remedy);
  return { wish: value as Wish | undefined, problems };
}

/** A folder or file of the application, or a package that it can resolve. */
function locate(appDir: string, target: string): { folder: string; file?: string } | undefined {
  const path = resolve(appDir, target);
  if (existsSync(path)) {
    if (statSync(path).isFile()) return { folder: dirname(path), file: path };
    const index = moduleExtensions.map((extension) => join(path, `index${extension}`)).find(existsSync);
    return { folder: path, file: index ?? mainOf(path, appDir) };
  }
  const main = mainOf(target, appDir);
  if (main) return { folder: packageFolder(dirname(main)), file: main };
  return undefined;
}

function mainOf(request: string, appDir: string): string | undefined {
  try {
    return createRequire(join(appDir, 'package.json')).resolve(request);
  } catch {
    return undefined;
  }
}

function packageFolder(from: string): string {
  if (existsSync(join(from, 'package.json')) || dirname(from) === from) return from;
  return packageFolder(dirname(from));
}

/** A plugin of the system that existing projects come from: it has another shape and can't run here. */
function isForeign(folder: string): boolean {
  if (moduleExtensions.some((extension) => existsSync(join(folder, `strapi-server${extension}`)))) return true;
  const manifest = join(folder, 'package.json');
  return existsSync(manifest) && isTree((createRequire(manifest)(manifest) as { strapi?: unknown }).strapi);
}

/** Installed packages can be plugins of that other system under a name of their own. */
function foreignPackage(name: string, appDir: string): string | undefined {
  const read = createRequire(join(appDir, 'package.json'));
  try {
    const { dependencies = {} } = read('./package.json') as { dependencies?: Record<string, string> };
    const found = Object.keys(dependencies).find((dependency) => {
      const manifest = join(appDir, 'node_modules', dependency, 'package.json');
      return existsSync(manifest) && (read(manifest) as { strapi?: { name?: string } }).strapi?.name === name;
    });
    return found && `the package ${found} is a plugin for Strapi, which can't run here.`;
  } catch {
    return undefined;
  }
}

interface Chooser {
  appDir: string;
  load: ModuleLoader;
  choice: PluginChoice;
}

function resolvePlugin(name: string, target: string, { appDir, load, choice }: Chooser): AnyPlugin | undefined {
  const at = `${name}.resolve`;
  const place = locate(appDir, target);
  if (!place) {
    choice.problems.push(
      problem(
        where,
        `names "${target}", which is neither a path in the application nor an installed package.`,
        'Correct the path, or install the package.',
        at,
      ),
    );
    return undefined;
  }
  choice.folders.push(place.folder);
  if (isForeign(place.folder)) {
    choice.notices.push(
      `${where} ${name} is without effect: "${target}" is a plugin for Strapi, which can't run here.`,
    );
    return undefined;
  }
  try {
    const plugin = place.file === undefined ? undefined : load(place.file);
    if (isPlugin(plugin) && plugin.name === name) return plugin;
    const what = isPlugin(plugin)
      ? `names a plugin that calls itself "${plugin.name}".`
      : `names "${target}", which exports no plugin.`;
    choice.problems.push(
      problem(
        where,
        what,
        isPlugin(plugin) ? `Use that name here.` : 'Export an object with name and apply as default.',
        at,
      ),
    );
  } catch (error) {
    choice.problems.push(
      problem(
        where,
        `names "${target}", which can't be loaded: ${error instanceof Error ? error.message.split('\n')[0] : error}.`,
        'Mend the plugin.',
        at,
      ),
    );
  }
  return undefined;
}

/** The plugins that `config/plugins` and the catalogue's defaults switch on; only those are loaded. */
export function choosePlugins(
  given: unknown,
  catalogue: PluginCatalogue,
  appDir: string,
  load: ModuleLoader,
): PluginChoice {
  const choice: PluginChoice = { chosen: [], folders: [], problems: [], notices: [] };
  const chooser: Chooser = { appDir, load, choice };
  if (given !== undefined && !isTree(given)) {
    choice.problems.push(
      problem(where, 'does not hold an object.', 'Export an object, or a function that returns one.'),
    );
    return choice;
  }
  const wishes = new Map<string, Wish>();
  for (const [name, value] of Object.entries(given ?? {})) {
    if (value === undefined) continue;
    const { wish, problems } = wishOf(name, value);
    choice.problems.push(...problems);
    if (wish) wishes.set(name, wish);
  }
  for (const [name, shipped] of Object.entries(catalogue.plugins)) {
    const wish = wishes.get(name) ?? { enabled: shipped.default ?? false };
    if (wish.resolve) continue;
    if (wish.enabled) choice.chosen.push({ plugin: shipped.load(), options: wish.config });
    wishes.delete(name);
  }
  for (const [name, wish] of wishes) {
    const reason = Object.hasOwn(catalogue.inert, name) ? catalogue.inert[name] : foreignPackage(name, appDir);
    if (wish.resolve) {
      const plugin = wish.enabled ? resolvePlugin(name, wish.resolve, chooser) : undefined;
      if (plugin) choice.chosen.push({ plugin, options: wish.config });
    } else if (reason === undefined) {
      const known = [...Object.keys(catalogue.plugins), ...Object.keys(catalogue.inert)];
      choice.problems.push(
        problem(
          where,
          'is no known plugin.',
          `Remove it, or say where it is by resolve.${didYouMean(name, known)}`,
          name,
        ),
      );
    } else if (wish.enabled) {
      choice.notices.push(`${where} ${name} is without effect: ${reason}`);
    }
  }
  return choice;
}
