import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const isCode = (file: string): boolean =>
  /\.([cm]?[jt]s)$/.test(file) && !/\.d\.[cm]?ts$|\.(test|spec)\.[jt]s$/.test(file);

const withoutComments = (code: string): string =>
  code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"])\/\/.*$/gm, '$1');

/** What the generator writes: a core factory without anything of the project's own. */
const factoryOnly =
  /^(export default|module\.exports ?=) ?(.*\bfactories\.)?createCore(Controller|Service|Router)\( ?['"][^'"]+['"],? ?\) ?;?$/;
/** An entry file as the generator writes it: functions without content. */
const emptyEntry =
  /^(export default|module\.exports ?=) ?\{( ?(async )?(register|bootstrap|destroy) ?(: ?(async )?(function ?)?)?\([^)]*\) ?(=> ?)?\{ ?\} ?,?)* ?\} ?;?$/;
const imports =
  /^(import\b[^;'"]*['"][^'"]+['"]|(const|let|var) \{?[\w\s,]+\}? ?= ?require\([^)]*\)(\.factories)?|['"]use strict['"]) ?;? ?/;

function hasOwnCode(file: string): boolean {
  let code = withoutComments(readFileSync(file, 'utf8')).replace(/\s+/g, ' ').trim();
  while (imports.test(code)) code = code.replace(imports, '').trim();
  return code !== '' && !factoryOnly.test(code) && !emptyEntry.test(code);
}

/** All files below a folder of the application, by their paths in it. */
export function filesUnder(appDir: string, path: string): string[] {
  const dir = join(appDir, path);
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isDirectory() && entry.name !== 'node_modules'
        ? filesUnder(appDir, `${path}/${entry.name}`)
        : [`${path}/${entry.name}`],
    );
}

interface Place {
  pattern: RegExp;
  what: string;
}

const places: readonly Place[] = [
  { pattern: /^src\/(api|extensions)\/[^/]+\/controllers\//, what: 'a custom controller' },
  { pattern: /^src\/(api|extensions)\/[^/]+\/services\//, what: 'a custom service' },
  { pattern: /^src\/(api|extensions)\/[^/]+\/routes\//, what: 'custom routes' },
  { pattern: /^src\/((api|extensions)\/[^/]+\/)?policies\//, what: 'a custom policy' },
  { pattern: /^src\/((api|extensions)\/[^/]+\/)?middlewares\//, what: 'a custom middleware' },
  { pattern: /^src\/(api|extensions)\/[^/]+\/content-types\/[^/]+\/lifecycles\./, what: 'lifecycles' },
  { pattern: /^src\/extensions\/[^/]+\/strapi-server\./, what: 'an extension of a plugin' },
  { pattern: /^src\/index\./, what: 'register, bootstrap or destroy' },
];

/** Code of an existing project that is not run here; what the generator made needs no mention. */
export function customCode(appDir: string): string[] {
  const api = ['src/api', 'src/extensions', 'src/policies', 'src/middlewares'].flatMap((path) =>
    filesUnder(appDir, path),
  );
  const entries = existsSync(join(appDir, 'src'))
    ? readdirSync(join(appDir, 'src')).filter((name) => name.startsWith('index.'))
    : [];
  return [...api, ...entries.map((name) => `src/${name}`)].flatMap((file) => {
    const place = places.find(({ pattern }) => pattern.test(file));
    if (!place || !isCode(basename(file)) || !hasOwnCode(join(appDir, file))) return [];
    return [`${file} is without effect: it holds ${place.what}, which is not run here.`];
  });
}

/** Plugins that lie in the project; those that `config/plugins` resolves are the plugin list's affair. */
export function localPlugins(appDir: string, resolved: readonly string[]): string[] {
  const dir = join(appDir, 'src', 'plugins');
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !resolved.includes(join(dir, entry.name)))
    .map((entry) => `src/plugins/${entry.name} is without effect: config/plugins does not resolve it.`);
}
