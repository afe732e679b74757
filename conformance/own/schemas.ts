import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readJson } from '../runner/json-file';

const attributeSchema = z.looseObject({ type: z.string() });

const typeSchema = z.looseObject({
  kind: z.enum(['collectionType', 'singleType']),
  info: z.looseObject({ singularName: z.string(), pluralName: z.string() }),
  options: z.looseObject({ draftAndPublish: z.boolean().optional() }).optional(),
  pluginOptions: z.looseObject({ i18n: z.looseObject({ localized: z.boolean().optional() }).optional() }).optional(),
  attributes: z.record(z.string(), attributeSchema),
});

const componentSchema = z.looseObject({ attributes: z.record(z.string(), attributeSchema) });

export type Attribute = z.infer<typeof attributeSchema>;
export type Attributes = Readonly<Record<string, Attribute>>;

export interface ContentType {
  /** Its singular name, by which its rows are called. */
  name: string;
  isSingle: boolean;
  path: string;
  hasDrafts: boolean;
  isLocalized: boolean;
  attributes: Attributes;
}

export interface Schemas {
  types: ContentType[];
  /** By `category.name`. */
  components: ReadonlyMap<string, Attributes>;
}

const folders = (path: string): string[] =>
  existsSync(path)
    ? readdirSync(path, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
        .map((entry) => entry.name)
        .sort()
    : [];

function typeIn(file: string): ContentType {
  const { kind, info, options, pluginOptions, attributes } = readJson(file, typeSchema);
  const isSingle = kind === 'singleType';
  return {
    name: info.singularName,
    isSingle,
    path: `/api/${isSingle ? info.singularName : info.pluralName}`,
    hasDrafts: options?.draftAndPublish ?? false,
    isLocalized: pluginOptions?.i18n?.localized ?? false,
    attributes,
  };
}

/** A project's schema files: DIR is its folder, its `src` or `config`, or whatever holds `api` and `components`. */
export function readSchemas(dir: string): Schemas {
  const root = [join(dir, 'src'), dir, join(dir, 'config')].find((candidate) => existsSync(join(candidate, 'api')));
  if (!root) throw new Error(`${dir} holds no schema files: there is neither src/api nor config/api nor api in it.`);
  const types = folders(join(root, 'api')).flatMap((api) =>
    folders(join(root, 'api', api, 'content-types'))
      .map((name) => join(root, 'api', api, 'content-types', name, 'schema.json'))
      .filter(existsSync)
      .map(typeIn),
  );
  if (types.length === 0) throw new Error(`${root}/api holds no schema.json of a content type.`);
  const components = folders(join(root, 'components')).flatMap((category) =>
    readdirSync(join(root, 'components', category))
      .filter((file) => file.endsWith('.json'))
      .map((file): [string, Attributes] => [
        `${category}.${file.slice(0, -'.json'.length)}`,
        readJson(join(root, 'components', category, file), componentSchema).attributes,
      ]),
  );
  return { types, components: new Map(components) };
}
