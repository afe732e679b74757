import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { filesUnder } from './custom-code';

const readPlaces: readonly RegExp[] = [
  /^(src|config)\/(api|extensions)\/[^/]+\/content-types\/[^/]+\/schema\.json$/,
  /^(src|config)\/components\/[^/]+\/[^/]+\.json$/,
];
const ofComponents = /^\w+\/components?\//;

/** The administration is not served, and plugins and packages read their own files. */
const foreignFolders: readonly string[] = ['admin', 'plugins', 'node_modules'];
/** Other folders of `config` are named as a whole. */
const configFolders: readonly string[] = ['api', 'components', 'extensions'];

/** Longer files hold data. */
const longest = 256_000;

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether somebody meant it for a schema: other JSON may lie where it likes, such as an entry with its attributes. */
function isSchema(file: string): boolean {
  if (statSync(file).size > longest) return false;
  try {
    const { attributes, info } = Object(JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')));
    return isObject(attributes) && isObject(info);
  } catch {
    return basename(file) === 'schema.json';
  }
}

function jsonFiles(appDir: string): string[] {
  const src = join(appDir, 'src');
  const inSrc = existsSync(src) ? readdirSync(src, { withFileTypes: true }) : [];
  const own = inSrc.filter(({ name }) => !foreignFolders.includes(name));
  return [
    ...own.flatMap((entry) => (entry.isDirectory() ? filesUnder(appDir, `src/${entry.name}`) : [`src/${entry.name}`])),
    ...configFolders.flatMap((name) => filesUnder(appDir, `config/${name}`)),
  ].filter((file) => file.endsWith('.json'));
}

/** Names schema files that lie where none are looked for; `resolved` are the folders of plugins. */
export function misplacedSchemas(appDir: string, resolved: readonly string[]): string[] {
  const ofPlugin = (file: string): boolean => resolved.some((folder) => join(appDir, file).startsWith(folder + sep));
  return jsonFiles(appDir)
    .filter((file) => !readPlaces.some((place) => place.test(file)) && !ofPlugin(file) && isSchema(join(appDir, file)))
    .map((file) => {
      const place = ofComponents.test(file)
        ? 'components/<category>/<name>.json'
        : 'api/<name>/content-types/<name>/schema.json';
      return `${file} is without effect: a schema file of its kind is read from src/${place}.`;
    });
}
