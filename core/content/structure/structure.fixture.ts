import type { ContentRegistry, ContentType } from '../content-type';
import type { TypeDefinition } from '../definition';
import { isPart } from '../nested';
import type { DocumentStore, Row, StoreTransaction } from '../store';

// For tests: a project in which everything is linked with everything, and what its store holds, as plain data.

type Attributes = TypeDefinition['attributes'];

const relation = (form: string, target: string, rest: object = {}) => ({
  type: 'relation',
  relation: form,
  target: `api::${target}.${target}`,
  ...rest,
});
const name = { type: 'string' };

export const documentTypes: Readonly<Record<string, Attributes>> = {
  item: {
    name,
    owner: relation('manyToOne', 'owner', { inversedBy: 'items' }),
    passport: relation('oneToOne', 'passport', { inversedBy: 'item' }),
    tags: relation('manyToMany', 'tag', { inversedBy: 'items' }),
    marks: relation('oneToMany', 'tag'),
    lead: relation('oneToOne', 'owner'),
    next: relation('manyToMany', 'item', { inversedBy: 'previous' }),
    previous: relation('manyToMany', 'item', { mappedBy: 'next' }),
    parent: relation('manyToOne', 'item', { inversedBy: 'children' }),
    children: relation('oneToMany', 'item', { mappedBy: 'parent' }),
    cover: { type: 'component', component: 'part.cover' },
    pages: { type: 'component', component: 'part.page', repeatable: true },
    zone: { type: 'dynamiczone', components: ['part.page', 'part.cover'] },
  },
  owner: { name, items: relation('oneToMany', 'item', { mappedBy: 'owner' }) },
  passport: { name, item: relation('oneToOne', 'item', { mappedBy: 'passport' }) },
  tag: { name, items: relation('manyToMany', 'item', { mappedBy: 'tags' }) },
};

export const components: Readonly<Record<string, Attributes>> = {
  cover: {
    title: { type: 'string', required: true },
    pages: { type: 'component', component: 'part.page', repeatable: true },
  },
  page: {
    text: { type: 'string', required: true },
    size: { type: 'integer', default: 1 },
    by: relation('oneToOne', 'owner'),
    tags: relation('oneToMany', 'tag'),
  },
};

const infoOf = (singular: string) => ({ singularName: singular, pluralName: `${singular}s`, displayName: singular });

export const definitions = (): TypeDefinition[] => [
  ...Object.entries(documentTypes).map(
    ([singular, attributes]): TypeDefinition => ({
      uid: `api::${singular}.${singular}`,
      file: `src/api/${singular}/content-types/${singular}/schema.json`,
      modelKind: 'collectionType',
      collectionName: `${singular}s`,
      info: infoOf(singular),
      options: {},
      pluginOptions: {},
      attributes,
    }),
  ),
  ...Object.entries(components).map(
    ([singular, attributes]): TypeDefinition => ({
      uid: `part.${singular}`,
      file: `src/components/part/${singular}.json`,
      modelKind: 'component',
      collectionName: `components_part_${singular}s`,
      info: infoOf(singular),
      options: {},
      pluginOptions: {},
      attributes,
    }),
  ),
];

/** The same project as files. */
export const projectFiles = (): Record<string, object> =>
  Object.fromEntries(
    definitions().map(({ file, info, collectionName, modelKind, attributes }) => [
      file,
      { kind: modelKind, collectionName, info, options: {}, attributes },
    ]),
  );

export interface Held {
  readonly documents: Record<string, unknown>;
  /** Component type → number of rows that nothing holds. */
  readonly orphans: Record<string, number>;
}

const labelOf = (row: Row): unknown => row['name'] ?? row['title'] ?? row['text'];

/** All documents by name, with what they are tied to in order, and components that were left behind. */
export function heldBy(store: DocumentStore, registry: ContentRegistry): Promise<Held> {
  return store.transaction(async (transaction) => {
    const reached = new Map<string, number>();
    const documents: Record<string, unknown> = {};
    for (const type of registry.documents) {
      if (!type.uid.startsWith('api::')) continue;
      const rows = await transaction.rows(type, {});
      for (const row of rows) documents[`${type.singularName} ${row['name']}`] = await shown(type, row, transaction);
    }
    const orphans: Record<string, number> = {};
    for (const type of registry.types.values())
      if (type.modelKind === 'component')
        orphans[type.uid] = (await transaction.rows(type, {})).length - (reached.get(type.uid) ?? 0);
    return { documents, orphans };

    async function shown(type: ContentType, row: Row, inside: StoreTransaction): Promise<Record<string, unknown>> {
      const seen: Record<string, unknown> = { label: labelOf(row), size: row['size'] };
      for (const nested of type.nested.values()) {
        const things: unknown[] = [];
        for (const { target, uid } of await inside.ties(type, nested, [Number(row['id'])])) {
          const other = registry.get(uid);
          const [there] = await inside.rows(other, { id: target });
          if (!isPart(nested)) things.push(there ? labelOf(there) : 'nothing');
          else {
            reached.set(uid, (reached.get(uid) ?? 0) + 1);
            things.push(there ? { uid, ...(await shown(other, there, inside)) } : 'nothing');
          }
        }
        seen[nested.name] = things;
      }
      return seen;
    }
  });
}
