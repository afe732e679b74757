import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '../package-root';

/** Path below the new folder → content. */
export type NewFiles = ReadonlyMap<string, string>;

function below(folder: string, under = ''): string[] {
  return readdirSync(join(folder, under), { withFileTypes: true }).flatMap((entry) => {
    const path = join(under, entry.name);
    return entry.isDirectory() ? below(folder, path) : [path];
  });
}

/** A package loses files of this name, so that the template has it without its dot. */
const named = (path: string): string => (path === 'gitignore' ? '.gitignore' : path);

/** The files of a template, with words put into their text and their names. */
export function templateFiles(template: string, words: Readonly<Record<string, string>>): NewFiles {
  const folder = join(packageRoot, 'scripts', 'kit', 'templates', template);
  const filled = (text: string): string =>
    Object.entries(words).reduce((before, [word, instead]) => before.replaceAll(word, instead), text);
  return new Map(
    below(folder).map((path) => [filled(named(path)), filled(readFileSync(join(folder, path), 'utf8'))] as const),
  );
}

/** Writes files that must not be there yet. */
export function writeFiles(folder: string, files: NewFiles): void {
  for (const [path, text] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: 'wx' });
  }
}
