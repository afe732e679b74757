import {
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { type ContentType, flatMapped, type Given, type ShownEntry, typeKey } from '../../../core';
import type { FieldMeaning, ListPart, Meanings } from '../schema/meaning';
import { argumentsOf } from './argument-values';
import type { Collected, Collector, Variables } from './collected';
import { filtersFrom } from './filters';
import { type PageLimits, pageFrom } from './page';
import { isShadowResolver } from './shadow-resolver';

/** Stands in answers where null is not allowed to; no JSON holds it. */
export const missingMark = '\u0004';

/** Where a read keeps what a response key shows, for resolvers, which know attributes by their own names. */
export const keyFor = (responseKey: string | number): string => `${typeKey}${responseKey}`;

/** What a list of things is asked for, once the variables are known. */
export type GivenOf = (variables: Variables) => Given;

/** What a root field shows of documents. */
export interface SelectedDocuments {
  readonly entries: readonly ShownEntry[];
  readonly given: readonly GivenOf[];
  /** The node that each of what is given was read from. */
  readonly nodes: readonly FieldNode[];
}

/** Something is asked for that no content type has: a resolver must answer it. */
export class NeedsResolver extends Error {}

export interface SelectOptions {
  readonly schema: GraphQLSchema;
  readonly meanings: Meanings;
  readonly collector: Collector;
  readonly limits: PageLimits;
  typeOf(uid: string): ContentType | undefined;
  /** Whether resolvers go on with what is read: then it is kept where they find it, with all that they may ask for. */
  readonly forResolvers?: boolean;
  /** Left out, since something is wrong with them. */
  readonly refused?: Pick<ReadonlySet<FieldNode>, 'has'>;
}

const nothing: Given = {};

/** What shows an object around others: kept by the key of the answer, for each asks for something else of it. */
const inObjects: ReadonlySet<FieldMeaning['is']> = new Set(['connection', 'itself']);

/** The part of a list that a field shows without a resolver. */
export function plainPart({ lists }: Meanings, type: GraphQLObjectType, field: string): ListPart {
  const part = lists.get(type.name)?.get(field);
  if (!part || !isShadowResolver(type.getFields()[field]!.resolve)) throw new NeedsResolver(`${type.name}.${field}`);
  return part;
}

/** Makes of a selection what a read of documents shows. */
export function createSelect({
  schema,
  meanings,
  collector,
  limits,
  typeOf,
  refused,
  forResolvers = false,
}: SelectOptions) {
  const given: GivenOf[] = [];
  const nodes: FieldNode[] = [];

  function give(node: FieldNode, one: GivenOf): number {
    nodes.push(node);
    return given.push(one) - 1;
  }

  function givenFor(
    parent: GraphQLObjectType,
    node: FieldNode,
    target: ContentType | undefined,
    isList: boolean,
  ): GivenOf {
    if (!isList) return () => nothing;
    const values = argumentsOf(parent.getFields()[node.name.value]!, node);
    const read: GivenOf = (variables) => {
      const { filters, sort, pagination } = values(variables);
      const { start, limit } = pageFrom(pagination, limits);
      return {
        filters: target && filtersFrom(target, filters, typeOf),
        sort,
        window: { start, limit },
      };
    };
    return read;
  }

  /** What each of the types that may stand at a place shows. */
  function shownOf(parent: GraphQLObjectType, field: readonly FieldNode[]): Record<string, readonly ShownEntry[]> {
    const type = getNamedType(parent.getFields()[field[0]!.name.value]!.type);
    const possible = isAbstractType(type) ? schema.getPossibleTypes(type) : isObjectType(type) ? [type] : [];
    return Object.fromEntries(
      flatMapped(possible, (object): [string, readonly ShownEntry[]][] => {
        const content = meanings.types.get(object.name);
        if (!content) return [];
        const told: ShownEntry[] = forResolvers ? [{ key: typeKey, text: JSON.stringify(content.uid) }] : [];
        return [[content.uid, [...told, ...entriesOf(object, collector.below(object, field))]]];
      }),
    );
  }

  function tied(
    parent: GraphQLObjectType,
    key: string,
    field: readonly FieldNode[],
    { nested, shows }: Extract<FieldMeaning, { is: 'tied' }>,
    missing: string | undefined,
  ): ShownEntry {
    const [node] = field as [FieldNode];
    const of = shownOf(parent, field);
    const [uid = ''] = Object.keys(of);
    const place = give(node, givenFor(parent, node, typeOf(uid), shows === 'list'));
    return { key, nested, given: place, of, missing: shows === 'one' ? missing : undefined };
  }

  /** What stands around a document once more shows the same document. */
  function itself(parent: GraphQLObjectType, key: string, field: readonly FieldNode[]): ShownEntry {
    return { key, inside: entriesOf(parent, collector.below(parent, field)) };
  }

  function connection(
    parent: GraphQLObjectType,
    key: string,
    field: readonly FieldNode[],
    { nested }: Extract<FieldMeaning, { is: 'connection' }>,
  ): ShownEntry {
    const [node] = field as [FieldNode];
    const object = getNamedType(parent.getFields()[node.name.value]!.type) as GraphQLObjectType;
    const target = meanings.types.get(getNamedType(object.getFields()['nodes']!.type).name)!;
    const place = give(node, givenFor(parent, node, target, true));
    const inside = flatMapped(collector.below(object, field), ([name, below]): ShownEntry[] => {
      const [{ name: asked }] = below as [FieldNode];
      if (asked.value === '__typename') return [{ key: name, text: JSON.stringify(object.name) }];
      const part = forResolvers
        ? meanings.lists.get(object.name)?.get(asked.value)
        : plainPart(meanings, object, asked.value);
      if (part !== 'nodes') return [];
      return [{ key: forResolvers ? keyFor(name) : name, nested, given: place, of: shownOf(object, below) }];
    });
    return { key, inside };
  }

  /** The values of a document by their own names, for resolvers that look at what they belong to. */
  function valuesOf(type: ContentType): ShownEntry[] {
    return [...type.attributes.values()]
      .filter(({ hidden }) => !hidden)
      .map(({ name }) => ({ key: name, attribute: name }));
  }

  function shown(
    parent: GraphQLObjectType,
    key: string,
    field: readonly FieldNode[],
    meaning: FieldMeaning,
  ): ShownEntry {
    const [node] = field as [FieldNode];
    const { type } = parent.getFields()[node.name.value]!;
    if (refused?.has(node) || meaning.is === 'secret') return { key, text: 'null' };
    const missing = isNonNullType(type) && !forResolvers ? missingMark : undefined;
    if (meaning.is === 'value') return { key, attribute: meaning.attribute, spelling: meaning.spelling, missing };
    if (meaning.is === 'itself') return itself(parent, key, field);
    return meaning.is === 'tied' ? tied(parent, key, field, meaning, missing) : connection(parent, key, field, meaning);
  }

  /** Entries by the keys of the answer, for reads that answer themselves. */
  function answered(parent: GraphQLObjectType, fields: Collected): ShownEntry[] {
    return [...fields].map(([key, field]) => {
      const name = field[0]!.name.value;
      if (name === '__typename') return { key, text: JSON.stringify(parent.name) };
      const meaning = meanings.fields.get(parent.name)?.get(name);
      if (!meaning || !isShadowResolver(parent.getFields()[name]!.resolve))
        throw new NeedsResolver(`${parent.name}.${name}`);
      return shown(parent, key, field, meaning);
    });
  }

  /**
   * Entries for resolvers, and for plugins that look at documents: values by their own names, and what is tied by its
   * own, unless it is asked for in several ways.
   */
  function kept(parent: GraphQLObjectType, fields: Collected): ShownEntry[] {
    const meaningOf = (name: string) => meanings.fields.get(parent.name)?.get(name);
    const names = [...fields.values()].map(([node]) => node!.name.value);
    const isResolved = (name: string): boolean =>
      !meaningOf(name) || !isShadowResolver(parent.getFields()[name]!.resolve);
    const entries = new Map<string, ShownEntry>();
    if (names.some((name) => name !== '__typename' && isResolved(name)))
      for (const value of valuesOf(meanings.types.get(parent.name)!)) entries.set(value.key, value);
    for (const [responseKey, field] of fields) {
      const name = field[0]!.name.value;
      const meaning = meaningOf(name);
      if (!meaning) continue;
      const isAlone = !inObjects.has(meaning.is) && names.filter((other) => other === name).length === 1;
      const key = meaning.is === 'value' || isAlone ? name : keyFor(responseKey);
      entries.set(key, shown(parent, key, field, meaning));
    }
    return [...entries.values()];
  }

  const entriesOf = (parent: GraphQLObjectType, fields: Collected): ShownEntry[] =>
    forResolvers ? kept(parent, fields) : answered(parent, fields);

  return (type: GraphQLObjectType, field: readonly FieldNode[]): SelectedDocuments => ({
    entries: entriesOf(type, collector.below(type, field)),
    given,
    nodes,
  });
}
