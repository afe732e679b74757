import { interpreted } from '../kernel/interpreted';
import { type Problem, problem } from '../kernel/problems';
import { didYouMean } from '../kernel/suggest';
import { wrongValues } from '../kernel/wrong-values';
import type { Attribute } from './attribute';
import { conditionNotices } from './conditions';
import type { ContentRegistry, ContentType } from './content-type';
import type { AttributeDefinition, TypeDefinition } from './definition';
import type { Dimension } from './dimension';
import { frozen, frozenMap } from './frozen';
import { documentIdKind, idKind } from './kinds/identifiers';
import { type AttributeKind, isDormant, isNested, type KnownKind } from './kinds/kind';
import { createSpelling } from './misspelt-options';
import type { Nested } from './nested';

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

/** Every attribute is made here, so that all have one shape: V8 then finds their properties without looking. */
const attributeOf = (
  name: string,
  kind: AttributeKind,
  definition: AttributeDefinition,
  { hidden, system }: Pick<Attribute, 'hidden' | 'system'>,
): Attribute => ({ name, kind, definition, hidden, system });

/** What attributes of all kinds may say: a word for yes is none, least of all where something shall be kept private. */
const answers = ['private', 'required', 'unique'];
const isAnswer = (value: unknown): boolean => typeof value === 'boolean' || value === undefined || value === null;

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

interface Workshop extends Ingredients {
  readonly misspelt: ReturnType<typeof createSpelling>;
}

/** Resolves one definition; what is wrong is added to `built`. */
function buildType(
  definition: TypeDefinition,
  { kinds, dimensions, misspelt }: Workshop,
  built: BuiltRegistry,
): ContentType {
  const { uid, file, modelKind, info, options } = definition;
  const isDocument = modelKind !== 'component';
  const own = isDocument ? dimensions.filter((dimension) => dimension.appliesTo(definition)) : [];
  const systemDefinitions = systemAttributesOf(definition, own);
  const concealed = new Set((options['privateAttributes'] as string[] | undefined) ?? []);
  const identifying = { hidden: false, system: true };
  const attributes = new Map<string, Attribute>([['id', attributeOf('id', idKind, { type: 'integer' }, identifying)]]);
  const nested = new Map<string, Nested>();
  const dormant = new Map<string, string>();
  if (isDocument)
    attributes.set('documentId', attributeOf('documentId', documentIdKind, { type: 'string' }, identifying));

  function refuse(name: string, what: string, remedy: string): void {
    built.problems.push(problem(file, what, remedy, `/attributes/${name}`));
  }

  function add(name: string, attribute: AttributeDefinition): void {
    const kind = kinds.get(typeNameOf(attribute));
    if (!kind) {
      const what = `has the type "${typeNameOf(attribute)}", which no plugin registers.`;
      refuse(name, what, `Correct it, or switch its plugin on.${didYouMean(typeNameOf(attribute), kinds.keys())}`);
      return;
    }
    if (isDormant(kind)) {
      dormant.set(name, kind.dormant);
      return;
    }
    for (const option of answers)
      if (!isAnswer(attribute[option])) refuse(`${name}/${option}`, 'is neither true nor false.', 'Correct the value.');
    const checked = kind.options?.safeParse(attribute, interpreted);
    for (const { path, what } of checked?.error ? wrongValues(checked.error) : [])
      refuse([name, ...path].join('/'), what, 'Correct the value.');
    for (const { option, meant } of misspelt(attribute, kind))
      built.notices.push(`${file} /attributes/${name}/${option} is without effect: no such option is known.${meant}`);
    const hidden = attribute['private'] === true || concealed.has(name);
    if (isNested(kind)) {
      nested.set(name, { name, definition: attribute, ...kind.nested(attribute), hidden, system: false });
      return;
    }
    const isHidden = hidden || kind.concealed === true;
    attributes.set(name, attributeOf(name, kind, attribute, { hidden: isHidden, system: false }));
  }

  for (const [name, attribute] of Object.entries(definition.attributes)) {
    if (attributes.has(name) || name in systemDefinitions)
      refuse(name, 'has a name that the service itself uses.', 'Rename the attribute.');
    else add(name, attribute);
  }
  for (const [name, attribute] of Object.entries(systemDefinitions)) {
    const kind = kinds.get(attribute.type);
    if (!kind || isDormant(kind)) continue;
    const hidden = concealed.has(name);
    if (isNested(kind))
      nested.set(name, { name, definition: attribute, ...kind.nested(attribute), hidden, system: true });
    else {
      const isHidden = attribute['private'] === true || hidden;
      attributes.set(name, attributeOf(name, kind, attribute, { hidden: isHidden, system: true }));
    }
  }
  const valued = [...attributes.values()].filter(({ system }) => !system).map(({ name }) => name);
  for (const [name, attribute] of Object.entries(definition.attributes)) {
    for (const notice of conditionNotices(attribute, valued))
      built.notices.push(`${file} /attributes/${name}/conditions ${notice}`);
  }
  for (const [name, reason] of dormant) built.notices.push(`${file} /attributes/${name} is not served: ${reason}`);

  for (const each of [...attributes.values(), ...nested.values()]) Object.freeze(each);

  return Object.freeze({
    uid,
    modelKind,
    singularName: info.singularName,
    pluralName: info.pluralName,
    definition: frozen(definition),
    attributes: frozenMap(attributes),
    nested: frozenMap(nested),
    dormant: frozenMap(dormant),
    dimensions: Object.freeze(own),
  });
}

/** Makes the registry of content types out of definitions, kinds and dimensions. */
export function buildRegistry(ingredients: Ingredients): BuiltRegistry {
  const types = new Map<string, ContentType>();
  const registry: ContentRegistry = {
    types,
    dimensions: ingredients.dimensions,
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
  const workshop: Workshop = { ...ingredients, misspelt: createSpelling(ingredients.kinds.values()) };
  for (const definition of ingredients.definitions) types.set(definition.uid, buildType(definition, workshop, built));
  frozenMap(types);
  return built;
}
