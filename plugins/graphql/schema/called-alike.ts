import type { DefinitionNode, DocumentNode } from 'graphql';
import { type ContentRegistry, type ContentType, type Problem, problem } from '../../../core';
import type { Contribution } from '../hooks';
import { enumName, isName, namesOf, zoneName } from '../names';
import { commonTypes, filterInputs } from './common-types';

/** Who has a name: a content type, or somebody in words. */
type Owner = ContentType | string;

const everySchema = 'every schema has';

/** What is defined besides the texts of `common-types`. */
const furtherNames =
  'String Int Float Boolean ID JSON DateTime Time Date Long Query Mutation Subscription ' +
  'GenericMorph RelationInput RelationEntryInput RelationPositionInput ResponseCollectionMeta';

const definedIn = (text: string): string[] =>
  [...text.matchAll(/^\s*(?:type|input|enum|scalar|union|interface)\s+(\w+)/gm)].map(([, name]) => name!);

/** The fields of root types: `Query.me`. */
const rootFieldsIn = (text: string): string[] =>
  [...text.replace(/\([^)]*\)/g, '').matchAll(/\btype\s+(Query|Mutation|Subscription)[^{]*\{([^}]*)\}/g)].flatMap(
    ([, root, body]) => [...body!.matchAll(/^\s*(\w+)\s*:/gm)].map(([, field]) => `${root}.${field}`),
  );

function namesInDocument({ definitions }: DocumentNode): string[] {
  const namesIn = (definition: DefinitionNode): string[] => {
    if (!('name' in definition) || !definition.name) return [];
    const { value } = definition.name;
    const fields = 'fields' in definition ? (definition.fields ?? []) : [];
    const own = definition.kind.endsWith('Extension') ? [] : [value];
    return [...own, ...fields.map(({ name }) => `${value}.${name.value}`)];
  };
  return definitions.flatMap(namesIn);
}

const namesIn = ({ typeDefs }: Contribution): string[] =>
  typeof typeDefs === 'string'
    ? [...definedIn(typeDefs), ...rootFieldsIn(typeDefs)]
    : namesInDocument(typeDefs).filter((name) => !name.includes('.') || /^(Query|Mutation|Subscription)\./.test(name));

const byPlugin = ({ uid }: ContentType): number => (uid.startsWith('plugin::') ? 0 : 1);

/** What may be made for a content type and is called after it, but for names that only its own can be like. */
function namesFor(type: ContentType): string[] {
  const { type: name, one, list } = namesOf(type);
  const isOfPlugin = byPlugin(type) === 0;
  const own = [name, `${name}FiltersInput`, ...(isOfPlugin ? [] : [`${name}Input`])];
  for (const attribute of type.attributes.values())
    if (attribute.kind.name === 'enumeration') own.push(enumName(name, attribute.name));
  for (const nested of type.nested.values()) {
    if (nested.storage !== 'zone') continue;
    const zone = zoneName(name, nested.name);
    own.push(zone, `${zone}Input`);
  }
  if (type.modelKind === 'component') return own;
  return [
    ...own,
    ...['EntityResponseCollection', 'RelationResponseCollection', 'Aggregator', 'GroupBy'].map((end) => name + end),
    ...['Avg', 'Sum', 'Min', 'Max'].map((end) => `${name}Aggregator${end}`),
    `Query.${one}`,
    ...(type.modelKind === 'singleType' ? [] : [`Query.${list}`, `Query.${list}_connection`]),
    // What is written into a plugin's own type is the plugin's to say.
    ...(isOfPlugin ? [] : ['create', 'update', 'delete']).map((action) => `Mutation.${action}${name}`),
  ];
}

const inWords = (owner: Owner): string =>
  typeof owner === 'string' ? owner : `is made for ${owner.uid} in ${owner.definition.file}`;

/** What a project can do about the name of a content type. */
function renamed({ modelKind }: ContentType, name: string): string {
  const what = modelKind === 'component' ? 'Rename its file' : 'Give it another singularName and pluralName';
  return `${what} so that nothing for it is called "${name}", or switch plugin "graphql" off in config/plugins.`;
}

function problemOf(type: ContentType, name: string, owner: Owner): Problem {
  const at = type.modelKind === 'component' ? undefined : '/info/singularName';
  const [what, called] = name.includes('.') ? ['field', name] : ['type', `"${name}"`];
  return problem(
    `${type.definition.file} (${type.uid})`,
    `makes a GraphQL ${what} ${called}, which ${inWords(owner)}.`,
    renamed(type, name.split('.').at(-1)!),
    at,
  );
}

/**
 * Content types that want a name in the schema which somebody else has, or which can be none: looked for at the start,
 * without the schema, whose making takes long. Not all of it is made of every project, and types of one name may be as
 * good as one: whether something is wrong is known once the schema is made.
 */
export function calledAlike(
  { types }: Pick<ContentRegistry, 'types'>,
  contributions: readonly Contribution[],
): Problem[] {
  const owners = new Map<string, Owner>();
  for (const name of [...furtherNames.split(' '), ...definedIn(commonTypes + filterInputs)])
    owners.set(name, everySchema);
  for (const contribution of contributions)
    for (const name of namesIn(contribution)) owners.set(name, `plugin "${contribution.plugin}" adds`);
  for (const root of ['Query', 'Mutation', 'Subscription']) owners.set(root, everySchema);
  return [...types.values()]
    .filter(({ uid }) => !uid.startsWith('admin::'))
    .sort((a, b) => byPlugin(a) - byPlugin(b))
    .flatMap((type) => {
      const { type: called } = namesOf(type);
      if (!isName(called)) return [problemOf(type, called, 'is no name there: names begin with a letter')];
      const problems = namesFor(type).flatMap((name) => {
        const owner = owners.get(name);
        owners.set(name, owner ?? type);
        return owner === undefined || owner === type ? [] : [problemOf(type, name, owner)];
      });
      // The first tells it; the others are called after it.
      return problems.slice(0, 1);
    });
}
