import { existsSync, readdirSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import type { RawConfig } from '../kernel/config';
import { type Problem, ProjectError, problem } from '../kernel/problems';
import { deepMerge } from './deep-merge';
import type { Env } from './env';
import { type ModuleLoader, moduleExtensions } from './module-loader';

export interface ConfigFiles {
  config: RawConfig;
  problems: Problem[];
}

interface Source {
  appDir: string;
  environment: string;
  env: Env;
  load: ModuleLoader;
}

const isConfigFile = (name: string): boolean =>
  (moduleExtensions as readonly string[]).includes(extname(name)) && !name.endsWith('.d.ts');

const entriesOf = (dir: string) =>
  existsSync(dir) ? readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1)) : [];

async function contentOf(file: string, { env, load }: Source): Promise<unknown> {
  const exported = load(file);
  return typeof exported === 'function' ? await exported({ env }) : exported;
}

/** The line of a file in which something went wrong, or in which the file asked for what did. */
function lineIn(file: string, error: unknown): string {
  const stack = (error as Partial<Error> | null)?.stack ?? '';
  const at = stack.indexOf(`${file}:`);
  const line = at < 0 ? undefined : /^\d+/.exec(stack.slice(at + file.length + 1))?.[0];
  return line ? ` (line ${line})` : '';
}

function failed(file: string, where: string, error: unknown): Problem[] {
  if (error instanceof ProjectError)
    return error.problems.map((inner) =>
      problem(where, `asks for ${inner.where}, which ${inner.what}`, inner.remedy, inner.at),
    );
  const [message = ''] = String(error).split('\n');
  return [problem(where, `can't be read: ${message.trimEnd()}${lineIn(file, error)}.`, 'Mend the file.')];
}

async function readFolder(dir: string, source: Source, found: ConfigFiles): Promise<Record<string, unknown>> {
  const config: Record<string, unknown> = {};
  const files = new Map<string, string>();
  for (const entry of entriesOf(dir)) {
    if (!entry.isFile() || !isConfigFile(entry.name)) continue;
    const file = join(dir, entry.name);
    const where = relative(source.appDir, file);
    const name = entry.name.slice(0, -extname(entry.name).length);
    const other = files.get(name);
    if (other) {
      found.problems.push(
        problem(where, `stands beside ${other}, which configures the same.`, 'Remove one of the two.'),
      );
      continue;
    }
    files.set(name, where);
    try {
      config[name] = await contentOf(file, source);
    } catch (error) {
      found.problems.push(...failed(file, where, error));
    }
  }
  return config;
}

/** The files of `config/` by name, and over them those of `config/env/<environment>/`. */
export async function readConfigFiles(source: Source): Promise<ConfigFiles> {
  const found: ConfigFiles = { config: {}, problems: [] };
  const dir = join(source.appDir, 'config');
  const base = await readFolder(dir, source, found);
  const own = await readFolder(join(dir, 'env', source.environment), source, found);
  found.config = deepMerge(base, own) as RawConfig;
  return found;
}

/** Folders of `config/` that something reads: configuration itself, and schema files. */
const readFolders: readonly string[] = ['env', 'api', 'components', 'extensions'];

/** Names the folders in `config/` that nothing reads; `resolved` are those of plugins. */
export function unreadFolders(appDir: string, resolved: readonly string[]): string[] {
  const holdsPlugin = (dir: string): boolean => resolved.some((folder) => `${folder}${sep}`.startsWith(`${dir}${sep}`));
  return entriesOf(join(appDir, 'config'))
    .filter((entry) => entry.isDirectory() && !readFolders.includes(entry.name))
    .filter(({ name }) => !holdsPlugin(join(appDir, 'config', name)))
    .map(({ name }) => `config/${name}/ is without effect: nothing that is switched on reads it.`);
}
