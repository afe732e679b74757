import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { ZodType, z } from 'zod';
import { interpreted } from '../../kernel/interpreted';
import { type Problem, problem } from '../../kernel/problems';
import { didYouMean } from '../../kernel/suggest';
import { wrongValues } from '../../kernel/wrong-values';
import type { TypeDefinition } from '../definition';
import { attributeProblems, soundAttributes } from './schema-attributes';
import { componentFile, contentTypeFile, knownKeys, knownOptions } from './schema-file';

export interface ProjectFiles {
  readonly definitions: TypeDefinition[];
  readonly problems: Problem[];
  readonly notices: string[];
}

/** Folders of an application that may hold schema files; a small application can keep all it has in `config`. */
const roots = ['src', 'config'];

const folders = (path: string): string[] =>
  existsSync(path)
    ? readdirSync(path, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
        .sort()
    : [];

const pointer = (path: readonly PropertyKey[]): string => path.map((part) => `/${String(part)}`).join('');

/** Reads and checks one file; undefined when it was refused. */
function readFile<Schema extends ZodType>(
  appDir: string,
  file: string,
  schema: Schema,
  found: ProjectFiles,
): z.infer<Schema> | undefined {
  const where = relative(appDir, file);
  let content: unknown;
  try {
    // Some editors begin a file with a mark of its encoding.
    content = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    found.problems.push(problem(where, `is not readable as JSON: ${(error as Error).message}.`, 'Correct the file.'));
    return undefined;
  }
  found.problems.push(...attributeProblems(where, content));
  const checked = schema.safeParse(content, interpreted);
  if (!checked.success) {
    found.problems.push(
      ...wrongValues(checked.error).map(({ path, what }) => problem(where, what, 'Correct the value.', pointer(path))),
    );
    return undefined;
  }
  for (const key of Object.keys(content as object))
    if (!knownKeys.has(key))
      found.notices.push(`${where} /${key} is without effect: no such key is known.${didYouMean(key, knownKeys)}`);
  // Plugins may have options of their own.
  for (const key of Object.keys((content as { options?: object }).options ?? {})) {
    const meant = knownOptions.has(key) ? '' : didYouMean(key, knownOptions);
    if (meant) found.notices.push(`${where} /options/${key} is without effect: no such option is known.${meant}`);
  }
  return checked.data;
}

const tableNameOf = (text: string): string => text.replace(/[^A-Za-z0-9]+/g, '_').toLowerCase();

function readContentType(appDir: string, file: string, namespace: string, found: ProjectFiles): void {
  if (!existsSync(file)) return;
  const content = readFile(appDir, file, contentTypeFile, found);
  if (!content) return;
  const { singularName, pluralName, displayName, name } = content.info;
  found.definitions.push({
    uid: `${namespace}.${singularName}`,
    file: relative(appDir, file),
    modelKind: content.kind,
    collectionName: content.collectionName ?? tableNameOf(content.kind === 'singleType' ? singularName : pluralName),
    info: { singularName, pluralName, displayName: displayName ?? name ?? singularName },
    options: content.options,
    pluginOptions: content.pluginOptions,
    attributes: soundAttributes(content.attributes),
  });
}

function readComponent(appDir: string, file: string, category: string, found: ProjectFiles): void {
  const content = readFile(appDir, file, componentFile, found);
  if (!content) return;
  const name = basename(file, '.json');
  found.definitions.push({
    uid: `${category}.${name}`,
    file: relative(appDir, file),
    modelKind: 'component',
    collectionName: content.collectionName ?? tableNameOf(`components_${category}_${name}s`),
    info: { singularName: name, pluralName: name, displayName: content.info.displayName ?? content.info.name ?? name },
    options: content.options,
    pluginOptions: content.pluginOptions,
    attributes: soundAttributes(content.attributes),
  });
}

function readTypesBelow(appDir: string, base: string, namespace: string, found: ProjectFiles): void {
  for (const owner of folders(base)) {
    const types = join(base, owner, 'content-types');
    for (const type of folders(types))
      readContentType(appDir, join(types, type, 'schema.json'), `${namespace}::${owner}`, found);
  }
}

/** Reads all schema files of an application folder; every mistake is reported, not the first. */
export function readProject(appDir: string): ProjectFiles {
  const found: ProjectFiles = { definitions: [], problems: [], notices: [] };
  for (const root of roots) {
    const at = join(appDir, root);
    readTypesBelow(appDir, join(at, 'api'), 'api', found);
    readTypesBelow(appDir, join(at, 'extensions'), 'plugin', found);
    for (const category of folders(join(at, 'components'))) {
      const files = readdirSync(join(at, 'components', category)).filter((name) => name.endsWith('.json'));
      for (const name of files.sort()) readComponent(appDir, join(at, 'components', category, name), category, found);
    }
  }
  return found;
}
