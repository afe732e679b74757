import {
  type Attribute,
  type ContentRegistry,
  type ContentType,
  isAlwaysRequired,
  type Nested,
  type NestedStorage,
  parameterOf,
  type ScalarStorage,
} from '../../core';

/** How JSON answers spell what a store keeps. Kinds are open, storages are not. */
const spelt: Readonly<Record<ScalarStorage, string>> = {
  string: 'string',
  text: 'string',
  json: 'unknown',
  date: 'string',
  time: 'string',
  datetime: 'string',
  timestamp: 'string',
  integer: 'number',
  biginteger: 'string',
  float: 'number',
  decimal: 'number',
  boolean: 'boolean',
};

const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
const propertyName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));

/** Always there in an answer: the identifiers, what the service stamps, and in what is published what is required. */
const isSureOf = (attribute: Attribute): boolean =>
  attribute.name === 'id' ||
  attribute.name === 'documentId' ||
  attribute.definition['stamp'] !== undefined ||
  isAlwaysRequired(attribute.definition);

function typeOf(attribute: Attribute): string {
  const { enum: values } = attribute.definition;
  const type =
    attribute.kind.name === 'enumeration' && Array.isArray(values)
      ? values.map((value) => quoted(String(value))).join(' | ')
      : spelt[attribute.kind.storage];
  return isSureOf(attribute) || type === 'unknown' ? type : `${type} | null`;
}

const capitalised = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((part) => part[0]!.toUpperCase() + part.slice(1))
    .join('');

const shortName = ({ uid, modelKind }: ContentType): string =>
  capitalised(modelKind === 'component' ? uid : uid.slice(uid.lastIndexOf('.') + 1));

const longName = ({ uid, modelKind }: ContentType): string =>
  (modelKind === 'component' ? 'Component' : '') + capitalised(uid);

/** What the source itself declares or refers to. */
const ownNames: readonly string[] = ['ContentTypes', 'ContentParameters', 'Record'];

/** uid → name of the interface: the type's own name, or one of the whole uid where that is none or has another meaning. */
function namesOf(types: readonly ContentType[]): Names {
  const isPlain = (type: ContentType): boolean =>
    /^[A-Z]/.test(shortName(type)) &&
    !ownNames.includes(shortName(type)) &&
    !types.some((other) => other !== type && shortName(other) === shortName(type));
  const names = new Map(types.filter(isPlain).map((type) => [type.uid, shortName(type)]));
  for (const type of types) {
    if (names.has(type.uid)) continue;
    const taken = new Set(names.values());
    let name = longName(type);
    for (let number = 2; taken.has(name); number += 1) name = `${longName(type)}${number}`;
    names.set(type.uid, name);
  }
  return names;
}

type Names = ReadonlyMap<string, string>;

/** What tells things of several types in one list apart. */
const tellers: Readonly<Partial<Record<NestedStorage, string>>> = { zone: '__component', morph: '__type' };

/** What stands behind a nested attribute once it is populated: a list, or one or nothing. */
function nestedTypeOf({ storage, many, targets }: Nested, names: Names): string {
  const teller = tellers[storage];
  const one = (uid: string): string => {
    const name = names.get(uid) ?? 'Record<string, unknown>';
    return teller === undefined ? name : `({ ${teller}: ${quoted(uid)} } & ${name})`;
  };
  const any = teller === undefined ? 'unknown' : `({ ${teller}: string } & Record<string, unknown>)`;
  const type = targets.length > 0 ? targets.map(one).join(' | ') : any;
  if (!many) return `${type} | null`;
  return targets.length > 1 ? `(${type})[]` : `${type}[]`;
}

function interfaceOf(type: ContentType, names: Names): string {
  const shown = [...type.attributes.values()].filter(({ hidden }) => !hidden);
  const populated = [...type.nested.values()].filter(({ hidden }) => !hidden);
  return [
    `/** ${type.definition.info.displayName.replaceAll('*/', '* /')}: ${type.uid} */`,
    `export interface ${names.get(type.uid)} {`,
    ...shown.map((attribute) => `  ${propertyName(attribute.name)}: ${typeOf(attribute)};`),
    ...populated.map((nested) => `  ${propertyName(nested.name)}?: ${nestedTypeOf(nested, names)};`),
    ...[...type.dormant].map(([attribute, reason]) => `  // ${attribute} is not served: ${reason}`),
    '}',
  ].join('\n');
}

/** The parameters that choose among the variants of a type's documents. */
function parametersOf({ uid, dimensions }: ContentType): string {
  const parameters = dimensions.map((dimension) => `${propertyName(parameterOf(dimension))}?: string`);
  return `  ${quoted(uid)}: ${parameters.length > 0 ? `{ ${parameters.join('; ')} }` : 'Record<never, never>'};`;
}

/**
 * The content types as TypeScript: an interface for each as answers show it, what is only there when it is populated behind
 * a question mark; and by uid a map of these, and one of the parameters that documents of a type are chosen by.
 */
export function typesSource(registry: ContentRegistry): string {
  const types = [...registry.types.values()];
  const names = namesOf(types);
  const map = types.map(({ uid }) => `  ${quoted(uid)}: ${names.get(uid)};`);
  return `${[
    '// Written by `heddle types`.',
    ...types.map((type) => interfaceOf(type, names)),
    ['export interface ContentTypes {', ...map, '}'].join('\n'),
    ['export interface ContentParameters {', ...registry.documents.map(parametersOf), '}'].join('\n'),
  ].join('\n\n')}\n`;
}
