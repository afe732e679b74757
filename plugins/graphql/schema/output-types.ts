import { type Attribute, type ContentType, isAlwaysRequired, type Nested } from '../../../core';
import { namesOf, zoneName } from '../names';
import { isNested, isSecret, spellingIn } from './fields';
import type { FieldMeaning, ListPart } from './meaning';
import { block, listArguments, type TypeWriter } from './type-writer';
import { formerIdentifier, formerLinks, formerObjects } from './v4-forms';

interface OutputField {
  readonly name: string;
  readonly definition: string;
  readonly meaning: FieldMeaning;
}

interface PartField {
  readonly definition: string;
  readonly name: string;
  readonly part: ListPart;
}

/** Writes the types that answers are made of, and keeps what their fields mean. */
export function createOutputTypes(
  { registry, shadow, v4Forms, definitions, once, isServed, targetOf, usable, valueTypeOf }: TypeWriter,
  filtersOf: (type: ContentType) => string,
) {
  const types = new Map<string, ContentType>();
  const fields = new Map<string, ReadonlyMap<string, FieldMeaning>>();
  const lists = new Map<string, ReadonlyMap<string, ListPart>>();

  const listOf = (name: string, parts: readonly PartField[]): string =>
    once(name, () => {
      lists.set(name, new Map(parts.map((each) => [each.name, each.part])));
      definitions.push(
        block(
          `type ${name}`,
          parts.map(({ definition }) => definition),
        ),
      );
    });

  const nodesOf = (type: ContentType): PartField => ({
    name: 'nodes',
    part: 'nodes',
    definition: `nodes: [${outputOf(type)}!]!`,
  });

  const connectionOf = (type: ContentType): string => {
    const { type: name } = namesOf(type);
    return listOf(`${name}RelationResponseCollection`, [nodesOf(type), ...(v4Forms ? formerLinks(name) : [])]);
  };

  const zoneOf = (owner: string, { name, targets }: Nested): string =>
    once(zoneName(owner, name), () => {
      const members = targets
        .filter(isServed)
        .map((uid) => registry.types.get(uid))
        .filter((type) => type !== undefined);
      definitions.push(`union ${zoneName(owner, name)} = ${[...members.map(outputOf), 'Error'].join(' | ')}\n`);
    });

  /** Everything that a link to anything may lead to. */
  const anythingOf = (): string =>
    once('GenericMorph', () => {
      const members = [...registry.types.values()].filter(({ uid }) => isServed(uid)).map(outputOf);
      definitions.push(`union GenericMorph = ${members.join(' | ')}\n`);
    });

  function nestedFields(owner: ContentType, nested: Nested): OutputField[] {
    const { name, storage, many } = nested;
    const bang = isAlwaysRequired(nested.definition) ? '!' : '';
    const field = (key: string, definition: string, meaning: FieldMeaning): OutputField => ({
      name: key,
      definition: `${key}${definition}`,
      meaning,
    });
    const tied = (shows: 'one' | 'list' | 'all'): FieldMeaning => ({ is: 'tied', nested: name, shows });
    if (storage === 'zone') return [field(name, `: [${zoneOf(namesOf(owner).type, nested)}]${bang}`, tied('all'))];
    if (storage === 'morph')
      return [field(name, many ? `: [${anythingOf()}]` : `: ${anythingOf()}`, tied(many ? 'all' : 'one'))];
    const target = targetOf(nested);
    if (!target) return [];
    const output = outputOf(target);
    if (!many) return [field(name, `: ${output}${bang}`, tied('one'))];
    if (storage === 'component')
      return [field(name, `${listArguments(filtersOf(target))}: [${output}]${bang}`, tied('list'))];
    // The variants of the one document of a single type are few, and taken as they are.
    const args = owner.modelKind === 'singleType' && storage === 'variants' ? '' : listArguments(filtersOf(target));
    return [
      field(`${name}_connection`, `${args}: ${connectionOf(target)}${bang}`, { is: 'connection', nested: name }),
      field(name, `${args}: [${output}]!`, tied('list')),
    ];
  }

  function outputFields(type: ContentType): OutputField[] {
    const { type: name } = namesOf(type);
    const value = (attribute: Attribute, definition: string): OutputField => {
      const spelling = spellingIn(attribute);
      const meaning: FieldMeaning = attribute.hidden
        ? { is: 'secret' }
        : { is: 'value', attribute: attribute.name, ...(spelling && { spelling }) };
      return { name: attribute.name, definition: `${attribute.name}: ${definition}`, meaning };
    };
    const isComponent = type.modelKind === 'component';
    const identifier = (attribute: string, definition: string): OutputField[] =>
      shadow.servesField(type.uid, attribute, 'output') ? [value(type.attributes.get(attribute)!, definition)] : [];
    const former = formerObjects(name).map((field): OutputField => ({ ...field, meaning: { is: 'itself' } }));
    const members = usable(type, 'output');
    return [
      ...(v4Forms && !isComponent ? identifier('id', formerIdentifier) : []),
      ...identifier(isComponent ? 'id' : 'documentId', 'ID!'),
      // An attribute of the type's own goes before.
      ...(v4Forms ? former.filter((field) => !members.some((member) => member.name === field.name)) : []),
      ...members.flatMap((member) => {
        if (isNested(member)) return member.hidden ? [] : nestedFields(type, member);
        if (member.hidden && !isSecret(type, member)) return [];
        const bang = isAlwaysRequired(member.definition) && !member.hidden ? '!' : '';
        return [value(member, `${valueTypeOf(name, member)}${bang}`)];
      }),
    ];
  }

  function outputOf(type: ContentType): string {
    const { type: name } = namesOf(type);
    return once(name, () => {
      types.set(name, type);
      const own = outputFields(type);
      fields.set(name, new Map(own.map((field) => [field.name, field.meaning])));
      definitions.push(
        block(
          `type ${name}`,
          own.map(({ definition }) => definition),
        ),
      );
    });
  }

  return { types, fields, lists, listOf, nodesOf, outputOf };
}
