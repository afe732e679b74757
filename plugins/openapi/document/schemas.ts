import { type Attribute, type ContentType, isAlwaysRequired, type Nested, type ScalarStorage } from '../../../core';
import type { Json } from '../hooks';

export const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
export const listOf = (items: Json): Json => ({ type: 'array', items });
const orNull = (schema: Json): Json => ({ anyOf: [schema, { type: 'null' }] });

/** How JSON has what a store keeps. */
const ofStorage: Readonly<Record<ScalarStorage, Json>> = {
  string: { type: 'string' },
  text: { type: 'string' },
  json: {},
  date: { type: 'string', format: 'date' },
  time: { type: 'string' },
  datetime: { type: 'string', format: 'date-time' },
  timestamp: { type: 'string' },
  integer: { type: 'integer' },
  biginteger: { type: 'string', pattern: '^-?[0-9]+$' },
  float: { type: 'number' },
  decimal: { type: 'number' },
  boolean: { type: 'boolean' },
};

const nullable = (schema: Json): Json =>
  typeof schema['type'] === 'string' ? { ...schema, type: [schema['type'], 'null'] } : schema;

const enumerated = ({ definition }: Attribute): Json | undefined =>
  Array.isArray(definition['enum']) ? { type: ['string', 'null'], enum: [...definition['enum'], null] } : undefined;

/** A value as answers have it, null where there is none. */
const shownValue = (attribute: Attribute): Json => enumerated(attribute) ?? nullable(ofStorage[attribute.kind.storage]);

/** Texts stand for numbers, too. */
const lenient: Partial<Record<ScalarStorage, Json>> = {
  biginteger: { type: ['string', 'integer', 'null'] },
  time: { type: ['string', 'null'] },
  datetime: { type: ['string', 'integer', 'null'] },
};

const limits: Readonly<Record<string, string>> = { minLength: 'minLength', maxLength: 'maxLength' };

function writtenValue(attribute: Attribute): Json {
  const { definition, kind } = attribute;
  const own = enumerated(attribute) ?? lenient[kind.storage] ?? nullable(ofStorage[kind.storage]);
  const limited = Object.entries(limits).flatMap(([option, keyword]) =>
    typeof definition[option] === 'number' ? [[keyword, definition[option]] as const] : [],
  );
  return {
    ...own,
    ...Object.fromEntries(limited),
    ...(kind.concealed && { writeOnly: true }),
    ...(definition['default'] !== undefined && typeof definition['default'] !== 'function'
      ? { default: definition['default'] }
      : {}),
  };
}

export interface TypeSchemas {
  readonly names: ReadonlyMap<string, string>;
}

const part = ({ names }: TypeSchemas, uid: string): Json => {
  const name = names.get(uid);
  return name === undefined ? { type: 'object' } : reference(name);
};

const inZone = (uid: string, schema: Json): Json => ({
  allOf: [schema, { type: 'object', properties: { __component: { const: uid } }, required: ['__component'] }],
});

/** What is there when it is populated; or how many there are, where `count` asks for that. */
function shownNested({ storage, targets, many }: Nested, schemas: TypeSchemas): Json {
  const target = part(schemas, targets[0] ?? '');
  const one: Json =
    storage === 'morph'
      ? { type: 'object' }
      : storage === 'zone'
        ? { anyOf: targets.map((uid) => inZone(uid, part(schemas, uid))) }
        : target;
  return { anyOf: [many ? listOf(one) : one, reference('Count'), { type: 'null' }] };
}

function writtenNested(nested: Nested, { names }: TypeSchemas): Json {
  const { storage, targets, many } = nested;
  const input = (uid: string): Json => (names.has(uid) ? reference(`${names.get(uid)}Input`) : { type: 'object' });
  if (storage === 'zone') return listOf({ anyOf: targets.map((uid) => inZone(uid, input(uid))) });
  if (storage === 'component') return many ? listOf(input(targets[0]!)) : orNull(input(targets[0]!));
  return reference('RelationInput');
}

/** A document or component, as answers show it. */
export function shownSchema(type: ContentType, schemas: TypeSchemas): Json {
  const isComponent = type.modelKind === 'component';
  const own = [...type.attributes.values()].filter(({ hidden }) => !hidden);
  const nested = [...type.nested.values()].filter(({ hidden }) => !hidden);
  return {
    type: 'object',
    title: type.definition.info.displayName,
    properties: {
      id: { type: 'integer' },
      ...(isComponent
        ? { __component: { type: 'string', const: type.uid } }
        : { documentId: { type: 'string', description: 'Names the document in all its versions and locales.' } }),
      ...Object.fromEntries(
        own.filter(({ name }) => !['id', 'documentId'].includes(name)).map((each) => [each.name, shownValue(each)]),
      ),
      ...Object.fromEntries(nested.map((each) => [each.name, shownNested(each, schemas)])),
    },
    required: isComponent ? ['id'] : ['id', 'documentId'],
  };
}

/** A document or component, as bodies have it. */
export function writtenSchema(type: ContentType, schemas: TypeSchemas): Json {
  const own = [...type.attributes.values()].filter(({ system }) => !system);
  const nested = [...type.nested.values()].filter(({ system, storage }) => !system && storage !== 'variants');
  return {
    type: 'object',
    title: `${type.definition.info.displayName}, to be written`,
    properties: {
      ...(type.modelKind === 'component' && { id: { type: ['integer', 'string'] }, __component: { type: 'string' } }),
      ...Object.fromEntries(own.map((each) => [each.name, writtenValue(each)])),
      ...Object.fromEntries(nested.map((each) => [each.name, writtenNested(each, schemas)])),
    },
  };
}

/** What must be there when a document is made; nothing where it may be work in progress. */
export function requiredOf(type: ContentType): string[] {
  if (type.dimensions.some(({ sketches }) => sketches !== undefined)) return [];
  return [...type.attributes.values(), ...type.nested.values()]
    .filter(({ definition, system }) => !system && isAlwaysRequired(definition) && definition['default'] === undefined)
    .map(({ name }) => name);
}
