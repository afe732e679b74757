import type { Attribute, ContentType } from '../../../core';
import { namesOf } from '../names';
import { isNested } from './fields';
import { block, type TypeWriter } from './type-writer';

const numbers = new Set(['integer', 'biginteger', 'float', 'decimal']);
const ordered = new Set([...numbers, 'date', 'time', 'datetime', 'timestamp']);
const grouping = new Set([...ordered, 'string', 'text', 'boolean']);

/** Writes the types that tell what documents come to, all together and in groups. */
export function createAggregateTypes(
  { definitions, once, targetOf, usable, valueTypeOf }: TypeWriter,
  filtersOf: (type: ContentType) => string,
) {
  function values(type: ContentType, storages: ReadonlySet<string>): Attribute[] {
    return usable(type, 'output').filter(
      (member): member is Attribute => !isNested(member) && !member.hidden && storages.has(member.kind.storage),
    );
  }

  function measures(type: ContentType, attributes: readonly Attribute[], of: string, isNumber: boolean): string[] {
    if (attributes.length === 0) return [];
    const { type: name } = namesOf(type);
    const written = `${name}Aggregator${of[0]!.toUpperCase()}${of.slice(1)}`;
    const fields = attributes.map(
      (attribute) => `${attribute.name}: ${isNumber ? 'Float' : valueTypeOf(name, attribute)}`,
    );
    definitions.push(block(`type ${written}`, fields));
    return [`${of}: ${written}`];
  }

  /** What makes groups: values, and the documents that are tied. */
  function groupKeys(type: ContentType): { name: string; key: string }[] {
    const { type: name } = namesOf(type);
    const linked = usable(type, 'output').filter(
      (member) => isNested(member) && !member.hidden && member.storage === 'link' && targetOf(member),
    );
    return [
      ...values(type, grouping).map((attribute) => ({ name: attribute.name, key: valueTypeOf(name, attribute) })),
      ...linked.map((nested) => ({ name: nested.name, key: 'ID' })),
    ];
  }

  function groups(type: ContentType): string {
    const { type: name } = namesOf(type);
    const fields = groupKeys(type).map(({ name: field, key }) => {
      const group = `${name}GroupBy_${field}`;
      const args = `(filters: ${filtersOf(type)}, pagination: PaginationArg = {}, sort: [String] = [])`;
      definitions.push(block(`type ${group}`, [`key: ${key}`, `connection${args}: ${name}EntityResponseCollection`]));
      return `${field}(nulls: Boolean = false): [${group}!]!`;
    });
    definitions.push(block(`type ${name}GroupBy`, fields));
    return `groupBy: ${name}GroupBy`;
  }

  return (type: ContentType): string => {
    const name = `${namesOf(type).type}Aggregator`;
    return once(name, () => {
      const [counted, compared] = [values(type, numbers), values(type, ordered)];
      definitions.push(
        block(`type ${name}`, [
          'count: Int!',
          ...measures(type, counted, 'avg', true),
          ...measures(type, counted, 'sum', true),
          ...measures(type, compared, 'min', false),
          ...measures(type, compared, 'max', false),
          groups(type),
        ]),
      );
    });
  };
}
