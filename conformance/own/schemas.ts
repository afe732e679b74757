import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

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

function read<T>(file: string, schema: z.ZodType<T>): T {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`);
  }
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => `/${path.join('/')}: ${message}`);
  throw new Error(`${file}: ${issues.join('; ')}`);
}

function typeIn(file: string): ContentType {
  const { kind, info, options, pluginOptions, attributes } = read(file, typeSchema);
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
        read(join(root, 'components', category, file), componentSchema).attributes,
      ]),
  );
  return { types, components: new Map(components) };
}
