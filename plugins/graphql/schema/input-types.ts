import { type Attribute, type ContentType, type Nested, parameterOf } from '../../../core';
import { isName, namesOf, zoneName } from '../names';
import { conditionType, isNested, isSecret, valueType } from './fields';
import type { ZoneInput } from './scalars';
import { block, type TypeWriter } from './type-writer';

/** Writes the types of arguments: conditions on documents, and what is written into them. */
export function createInputTypes({
  registry,
  shadow,
  rootArguments,
  definitions,
  once,
  isServed,
  targetOf,
  usable,
  valueTypeOf,
}: TypeWriter) {
  const zoneInputs: ZoneInput[] = [];

  function conditionOf(member: Attribute | Nested): string | undefined {
    if (!isNested(member)) return conditionType(member);
    const target = member.storage === 'zone' || member.storage === 'morph' ? undefined : targetOf(member);
    return target && filtersOf(target);
  }

  function filtersOf(type: ContentType): string {
    const name = `${namesOf(type).type}FiltersInput`;
    return once(name, () => {
      const operators = ['and', 'or', 'not'];
      const isNamed = type.modelKind === 'collectionType' && shadow.servesField(type.uid, 'documentId', 'filters');
      const identifier = isNamed ? ['documentId: IDFilterInput'] : [];
      const conditions = usable(type, 'filters')
        .filter((member) => !operators.includes(member.name))
        .filter((member) => !member.hidden || (!isNested(member) && isSecret(type, member)))
        .flatMap((member) => {
          const condition = conditionOf(member);
          return condition === undefined ? [] : [`${member.name}: ${condition}`];
        });
      definitions.push(
        block(`input ${name}`, [...identifier, ...conditions, `and: [${name}]`, `or: [${name}]`, `not: ${name}`]),
      );
    });
  }

  /** How links of one attribute change: what is connected, what no longer is, or all that is. */
  const linkChangeOf = (): string =>
    once('RelationInput', () => {
      const chosen = registry.dimensions
        .map(parameterOf)
        .filter(isName)
        .map((name) => `${name}: String`);
      definitions.push(
        block('input RelationInput', [
          'connect: [RelationEntryInput!]',
          'disconnect: [RelationEntryInput!]',
          'set: [RelationEntryInput!]',
        ]),
        block('input RelationEntryInput', ['documentId: ID!', ...chosen, 'position: RelationPositionInput']),
        block('input RelationPositionInput', ['before: ID', 'after: ID', 'start: Boolean', 'end: Boolean']),
      );
    });

  function nestedInput(owner: ContentType, nested: Nested): string[] {
    const { name, storage, many } = nested;
    if (storage === 'variants' || storage === 'morph') return [];
    if (storage === 'zone') {
      const scalar = `${zoneName(namesOf(owner).type, name)}Input`;
      once(scalar, () => {
        const components = nested.targets
          .filter(isServed)
          .map((uid) => registry.types.get(uid))
          .filter((type) => type !== undefined);
        zoneInputs.push({ scalar, components: new Map(components.map((type) => [namesOf(type).type, type.uid])) });
        definitions.push(`scalar ${scalar}\n`);
      });
      return [`${name}: [${scalar}!]`];
    }
    const target = targetOf(nested);
    if (!target) return [];
    if (storage === 'component') return [many ? `${name}: [${inputOf(target)}]` : `${name}: ${inputOf(target)}`];
    const ids = many ? `${name}: [ID]` : `${name}: ID`;
    const sibling = `${name}_relation`;
    const isFree = !owner.attributes.has(sibling) && !owner.nested.has(sibling);
    return storage === 'link' && isFree ? [ids, `${sibling}: ${linkChangeOf()}`] : [ids];
  }

  /** What bodies may hold to no effect, but for what is an argument. */
  function idleInputs(type: ContentType): string[] {
    const names = type.definition.ignoredInBodies ?? [];
    return [...new Set(names)].flatMap((name) => {
      if (rootArguments.some((argument) => argument.name === name && argument.appliesTo(type, 'write'))) return [];
      const attribute = type.attributes.get(name);
      return [`${name}: ${attribute ? valueType('', attribute) : 'String'}`];
    });
  }

  function inputOf(type: ContentType): string {
    const { type: name } = namesOf(type);
    return once(`${name}Input`, () => {
      const members = usable(type, 'input').filter(({ system }) => !system);
      const lines = members.flatMap((member) =>
        isNested(member) ? nestedInput(type, member) : [`${member.name}: ${valueTypeOf(name, member)}`],
      );
      const identifier = type.modelKind === 'component' ? ['id: ID'] : [];
      definitions.push(block(`input ${name}Input`, [...identifier, ...lines, ...idleInputs(type)]));
    });
  }

  return { zoneInputs, filtersOf, inputOf };
}
