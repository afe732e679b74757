import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { ownSource } from '../kit/own-source';
import { templateFiles, writeFiles } from '../kit/template-files';
import { packageRoot } from '../package-root';

const isPackageName = (name: string): boolean => /^[a-z0-9][a-z0-9._-]{0,213}$/.test(name);

function refuseUnfit(folder: string, given: string): void {
  const name = basename(folder);
  if (!isPackageName(name))
    throw new Error(
      `"${name}" can't name an application. Use small letters, digits, ".", "-" and "_", beginning with a letter or digit.`,
    );
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory()) throw new Error(`${given} is a file. Name a folder that is not there yet.`);
  if (readdirSync(folder).length > 0)
    throw new Error(`${given} is not empty, and nothing in it is overwritten. Name another folder, or empty it.`);
}

/** As this version of Heddle was developed with. */
function versionOf(name: string): string {
  const { devDependencies } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  return devDependencies[name]!;
}

const manifest = (name: string, folder: string): string =>
  `${JSON.stringify(
    {
      name,
      version: '0.1.0',
      private: true,
      scripts: { start: 'heddle start', dev: 'heddle dev', test: 'heddle plugin test', types: 'tsc' },
      dependencies: { heddle: ownSource(folder) },
      devDependencies: { '@types/node': versionOf('@types/node'), typescript: versionOf('typescript') },
      // Both are built while they are installed, which npm asks leave for.
      allowScripts: { bcrypt: true, 'better-sqlite3': true },
      engines: { node: '>=20.19.0' },
    },
    null,
    2,
  )}\n`;

/** Writes an application that can be started at once. */
export async function newApplication(given: string): Promise<number> {
  const folder = resolve(given);
  refuseUnfit(folder, given);
  const name = basename(folder);
  const files = new Map([
    ...templateFiles('application', { '{{name}}': name }),
    ['package.json', manifest(name, folder)] as const,
  ]);
  writeFiles(folder, files);
  const place = relative(process.cwd(), folder) || '.';
  process.stdout.write(
    `Made the application "${name}". To start it:\n\n  cd ${place}\n  npm install\n  npm start\n\nIts README.md says what is where.\n`,
  );
  return 0;
}
