import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import type { LayoutAttribute, LayoutModel, ScalarStorage } from './model';

// For tests: schema files → models, by the shortest way and without the registry.

interface SchemaFile {
  readonly kind?: 'collectionType' | 'singleType';
  readonly collectionName: string;
  readonly info: { readonly singularName: string };
  readonly attributes: Readonly<Record<string, SchemaAttribute>>;
}

type SchemaAttribute = { readonly type: string } & Readonly<Record<string, unknown>>;

const storages: Readonly<Record<string, ScalarStorage>> = {
  richtext: 'text',
  blocks: 'json',
  email: 'string',
  password: 'string',
  uid: 'string',
  enumeration: 'string',
};

/** The models of an application folder (`api/` and `components/` below `source`). */
export function modelsIn(source: string): LayoutModel[] {
  const types = folders(join(source, 'api')).flatMap((api) =>
    folders(join(source, 'api', api, 'content-types')).map((name) => {
      const schema = read(join(source, 'api', api, 'content-types', name, 'schema.json'));
      return model(`api::${api}.${name}`, schema.kind ?? 'collectionType', schema.info.singularName, schema);
    }),
  );
  const components = folders(join(source, 'components')).flatMap((category) =>
    folders(join(source, 'components', category)).map((file) => {
      const name = basename(file, '.json');
      return model(`${category}.${name}`, 'component', name, read(join(source, 'components', category, file)));
    }),
  );
  return [...types, ...components];
}

const folders = (path: string): string[] => (existsSync(path) ? readdirSync(path).sort() : []);

const read = (path: string): SchemaFile => JSON.parse(readFileSync(path, 'utf8')) as SchemaFile;

const model = (
  uid: string,
  modelKind: LayoutModel['modelKind'],
  singularName: string,
  { collectionName, attributes }: SchemaFile,
): LayoutModel => ({
  uid,
  modelKind,
  collectionName,
  singularName,
  attributes: Object.fromEntries(Object.entries(attributes).map(([name, each]) => [name, layoutAttribute(each)])),
});

function layoutAttribute({ type, ...rest }: SchemaAttribute): LayoutAttribute {
  switch (type) {
    case 'relation':
      return { storage: 'link', ...rest } as LayoutAttribute;
    case 'component':
      return { storage: 'component', component: String(rest.component), repeatable: rest.repeatable === true };
    case 'dynamiczone':
      return { storage: 'zone', components: rest.components as string[] };
    case 'media':
      return { storage: 'media', multiple: rest.multiple === true };
    default:
      return {
        storage: storages[type] ?? (type as ScalarStorage),
        columnName: rest.columnName as string | undefined,
        column: rest.column as { unique?: boolean } | undefined,
      };
  }
}
