import type { AttributeDefinition, TypeDefinition } from '../../core';

export const fileUid = 'plugin::upload.file';
export const folderUid = 'plugin::upload.folder';

const hidden = { private: true } as const;

const definition = (
  uid: string,
  collectionName: string,
  attributes: Readonly<Record<string, AttributeDefinition>>,
): TypeDefinition => {
  const singularName = uid.slice(uid.indexOf('.') + 1);
  return {
    uid,
    file: 'plugin "upload"',
    modelKind: 'collectionType',
    collectionName,
    info: { singularName, pluralName: `${singularName}s`, displayName: singularName },
    options: {},
    pluginOptions: {},
    // A file stays as new as it came, whatever is changed of it later.
    systemAttributes: { publishedAt: { type: 'datetime', stamp: 'insert' } },
    attributes,
  };
};

/** What is known of an uploaded file, in the order in which answers show it. */
const file = definition(fileUid, 'files', {
  name: { type: 'string', required: true },
  alternativeText: { type: 'text' },
  caption: { type: 'text' },
  focalPoint: { type: 'json' },
  width: { type: 'integer' },
  height: { type: 'integer' },
  formats: { type: 'json' },
  hash: { type: 'string', required: true },
  ext: { type: 'string' },
  mime: { type: 'string', required: true },
  size: { type: 'decimal', required: true },
  url: { type: 'text', required: true },
  previewUrl: { type: 'text' },
  provider: { type: 'string', required: true },
  provider_metadata: { type: 'json' },
  related: { type: 'relation', relation: 'morphToMany' },
  folder: { type: 'relation', relation: 'manyToOne', target: folderUid, inversedBy: 'files', ...hidden },
  folderPath: { type: 'string', required: true, ...hidden },
});

/** Where administrators sort files; the API knows none of it. */
const folder = definition(folderUid, 'upload_folders', {
  name: { type: 'string', required: true },
  pathId: { type: 'integer', required: true },
  parent: { type: 'relation', relation: 'manyToOne', target: folderUid, inversedBy: 'children' },
  children: { type: 'relation', relation: 'oneToMany', target: folderUid, mappedBy: 'parent' },
  files: { type: 'relation', relation: 'oneToMany', target: fileUid, mappedBy: 'folder' },
  path: { type: 'string', required: true },
});

const own: readonly TypeDefinition[] = [file, folder];

/** A project may extend the types by attributes of its own; those of the plugin stay as they are. */
export function withUploadTypes(definitions: readonly TypeDefinition[]): TypeDefinition[] {
  const extensions = new Map(definitions.map((given) => [given.uid, given]));
  const complete = own.map((type) => {
    const extension = extensions.get(type.uid);
    return extension
      ? { ...type, file: extension.file, attributes: { ...extension.attributes, ...type.attributes } }
      : type;
  });
  return [...definitions.filter(({ uid }) => uid !== fileUid && uid !== folderUid), ...complete];
}
