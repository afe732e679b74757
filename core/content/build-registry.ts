import { type Problem, problem } from '../kernel/problems';
import { didYouMean } from '../kernel/suggest';
import type { Attribute } from './attribute';
import type { ContentRegistry, ContentType } from './content-type';
import type { AttributeDefinition, TypeDefinition } from './definition';
import type { Dimension } from './dimension';
import { frozen, frozenMap } from './frozen';
import { documentIdKind, idKind } from './kinds/identifiers';
import { type AttributeKind, isDormant, type KnownKind } from './kinds/kind';

export interface Ingredients {
  readonly definitions: readonly TypeDefinition[];
  readonly kinds: ReadonlyMap<string, KnownKind>;
  readonly dimensions: readonly Dimension[];
}

export interface BuiltRegistry {
  readonly registry: ContentRegistry;
  readonly problems: Problem[];
  readonly notices: string[];
}

const timestamps: Readonly<Record<string, AttributeDefinition>> = {
  createdAt: { type: 'datetime', stamp: 'insert' },
  updatedAt: { type: 'datetime', stamp: 'write' },
};

const system = (name: string, kind: AttributeKind, definition: AttributeDefinition): Attribute => ({
  name,
  kind,
  definition,
  hidden: false,
  system: true,
});

/** A custom field is of the kind that its plugin registers under the field's name. */
const typeNameOf = ({ type, customField }: AttributeDefinition): string =>
  type === 'customField' ? String(customField) : type;

const systemAttributesOf = (
  definition: TypeDefinition,
  dimensions: readonly Dimension[],
): Record<string, AttributeDefinition> =>
  definition.modelKind === 'component'
    ? {}
    : {
        ...timestamps,
        ...definition.systemAttributes,
        ...Object.fromEntries(dimensions.map(({ attribute }) => [attribute.name, attribute.definition])),
      };

/** Resolves one definition; what is wrong is added to `built`. */
function buildType(definition: TypeDefinition, { kinds, dimensions }: Ingredients, built: BuiltRegistry): ContentType {
  const { uid, file, modelKind, info, options } = definition;
  const isDocument = modelKind !== 'component';
  const own = isDocument ? dimensions.filter((dimension) => dimension.appliesTo(definition)) : [];
  const systemDefinitions = systemAttributesOf(definition, own);
  const concealed = new Set((options['privateAttributes'] as string[] | undefined) ?? []);
  const attributes = new Map<string, Attribute>([['id', system('id', idKind, { type: 'integer' })]]);
  const dormant = new Map<string, string>();
  if (isDocument) attributes.set('documentId', system('documentId', documentIdKind, { type: 'string' }));

  function refuse(name: string, what: string, remedy: string): void {
    built.problems.push(problem(file, what, remedy, `/attributes/${name}`));
  }

  function add(name: string, attribute: AttributeDefinition): void {
    const kind = kinds.get(typeNameOf(attribute));
    if (!kind) {
      refuse(
        name,
        `has the type "${typeNameOf(attribute)}", which no plugin registers.`,
        `Correct it, or switch its plugin on.${didYouMean(typeNameOf(attribute), kinds.keys())}`,
      );
      return;
    }
    if (isDormant(kind)) {
      dormant.set(name, kind.dormant);
      return;
    }
    const checked = kind.options?.safeParse(attribute);
    for (const { path, message } of checked?.error?.issues ?? [])
      refuse([name, ...path].join('/'), `${message}.`, 'Correct the value.');
    attributes.set(name, {
      name,
      kind,
      definition: attribute,
      hidden: kind.concealed === true || attribute['private'] === true || concealed.has(name),
      system: false,
    });
  }

  for (const [name, attribute] of Object.entries(definition.attributes)) {
    if (attributes.has(name) || name in systemDefinitions)
      refuse(name, 'has a name that the service itself uses.', 'Rename the attribute.');
    else add(name, attribute);
  }
  for (const [name, attribute] of Object.entries(systemDefinitions)) {
    const kind = kinds.get(attribute.type);
    if (kind && !isDormant(kind))
      attributes.set(name, { ...system(name, kind, attribute), hidden: concealed.has(name) });
  }
  for (const [name, reason] of dormant) built.notices.push(`${file} /attributes/${name} is not served: ${reason}`);
  for (const attribute of attributes.values()) Object.freeze(attribute);

  return Object.freeze({
    uid,
    modelKind,
    singularName: info.singularName,
    pluralName: info.pluralName,
    definition: frozen(definition),
    attributes: frozenMap(attributes),
    dormant: frozenMap(dormant),
    dimensions: Object.freeze(own),
  });
}

/** Makes the registry of content types out of definitions, kinds and dimensions. */
export function buildRegistry(ingredients: Ingredients): BuiltRegistry {
  const types = new Map<string, ContentType>();
  const registry: ContentRegistry = {
    types,
    get documents() {
      return [...types.values()].filter(({ modelKind }) => modelKind !== 'component');
    },
    get(uid) {
      const type = types.get(uid);
      if (!type) throw new Error(`there is no content type "${uid}".${didYouMean(uid, types.keys())}`);
      return type;
    },
  };
  const built: BuiltRegistry = { registry: Object.freeze(registry), problems: [], notices: [] };
  for (const definition of ingredients.definitions)
    types.set(definition.uid, buildType(definition, ingredients, built));
  frozenMap(types);
  return built;
}
