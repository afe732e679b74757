import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

/** A source file with its path inside the repository. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

export interface Import {
  /** As it is written. */
  readonly specifier: string;
  /** The file inside the repository, for what is imported by a relative path. */
  readonly target?: string;
  /** Whether it is loaded together with the file: not when it is a type, or asked for later. */
  readonly atLoad: boolean;
}

const isSkipped = (name: string): boolean => ['node_modules', 'dist', '.data'].includes(name);

/** The TypeScript files below folders of the repository. */
export function readSources(root: string, folders: readonly string[]): Source[] {
  return folders.flatMap((folder) => {
    const at = join(root, folder);
    if (!existsSync(at)) return [];
    return readdirSync(at, { withFileTypes: true })
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((entry): Source[] => {
        const path = `${folder}/${entry.name}`;
        if (entry.isDirectory()) return isSkipped(entry.name) ? [] : readSources(root, [path]);
        return entry.name.endsWith('.ts') ? [{ path, text: readFileSync(join(root, path), 'utf8') }] : [];
      });
  });
}

const statement = /(?:^|\n)\s*(?:import|export)\s+(type\s)?\s*([^'"`;]*?)\s*from\s*'([^']+)'/g;
const bare = /(?:^|\n)\s*import\s*'([^']+)'/g;
const call = /\b(?:require|import)\(\s*'([^']+)'\s*\)/g;

const hasOnlyTypes = (clause: string): boolean => {
  const names = /^\{([^}]*)\}$/
    .exec(clause.trim())?.[1]
    ?.split(',')
    .map((name) => name.trim());
  return names?.filter(Boolean).every((name) => name.startsWith('type ')) ?? false;
};

function resolved(from: string, specifier: string, known: ReadonlySet<string>): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const path = posix.normalize(posix.join(dirname(from), specifier));
  return [`${path}.ts`, `${path}/index.ts`].find((file) => known.has(file)) ?? path;
}

/** What a file imports, however it does. */
export function importsOf({ path, text }: Source, known: ReadonlySet<string>): Import[] {
  const found = [
    ...[...text.matchAll(statement)].map(([, type, clause, specifier]) => ({
      specifier: specifier!,
      atLoad: type === undefined && !hasOnlyTypes(clause!),
    })),
    ...[...text.matchAll(bare)].map(([, specifier]) => ({ specifier: specifier!, atLoad: true })),
    ...[...text.matchAll(call)].map(([, specifier]) => ({ specifier: specifier!, atLoad: false })),
  ];
  return found.map((each) => ({ ...each, target: resolved(path, each.specifier, known) }));
}

export const isTest = (path: string): boolean => /\.(test|fixture)\.ts$/.test(path) || path.includes('/testing/');
