// For tests: schema files of an application, in few words.

export const relation = (form: string, rest: object = {}) => ({ type: 'relation', relation: form, ...rest });

/** A collection with a title, and what else its documents have. */
export const schema = (name: string, attributes: object, draftAndPublish = false) => ({
  [`src/api/${name}/content-types/${name}/schema.json`]: {
    kind: 'collectionType',
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options: { draftAndPublish },
    attributes: { title: { type: 'string' }, ...attributes },
  },
});
