import { type FieldNode, type GraphQLObjectType, getNamedType } from 'graphql';
import { type AskedMeasure, flatMapped } from '../../../core';
import type { Meanings } from '../schema/meaning';
import { type ArgumentsOf, argumentsOf } from './argument-values';
import type { Collector } from './collected';
import type { NamedSelection } from './read';

/** A key with the same text wherever it stands. */
interface TextPart {
  readonly key: string;
  readonly is: 'text';
  readonly text: string;
}

/** What is told of documents, key by key. */
export type AggregatePart =
  | TextPart
  | { readonly key: string; readonly is: 'measure'; readonly measure: AskedMeasure }
  | { readonly key: string; readonly is: 'measures'; readonly parts: readonly AggregatePart[] }
  | { readonly key: string; readonly is: 'groups'; readonly parts: readonly (TextPart | GroupingPart)[] };

/** Groups by one attribute. */
export interface GroupingPart {
  readonly key: string;
  readonly is: 'grouping';
  readonly by: string;
  readonly args: ArgumentsOf;
  readonly parts: readonly (TextPart | { readonly key: string; readonly is: 'key' } | GroupConnectionPart)[];
}

/** The documents of a group. */
export interface GroupConnectionPart {
  readonly key: string;
  readonly is: 'connection';
  readonly args: ArgumentsOf;
  readonly parts: readonly ConnectionPart[];
}

export interface PagePart {
  readonly key: string;
  readonly is: 'pageInfo';
  readonly fields: readonly { key: string; field: string }[];
}

export type ConnectionPart =
  | TextPart
  | { readonly key: string; readonly is: 'nodes'; readonly selection: NamedSelection }
  | PagePart
  | { readonly key: string; readonly is: 'page'; readonly parts: readonly (TextPart | PagePart)[] }
  | { readonly key: string; readonly is: 'aggregate'; readonly parts: readonly AggregatePart[] };

export interface TreeOptions extends Pick<Meanings, 'lists'> {
  readonly collector: Collector;
  /** What is shown of documents. */
  select(type: GraphQLObjectType, nodes: readonly FieldNode[]): NamedSelection;
  /** What keys are called where they are kept. */
  keyFor(responseKey: string): string;
}

/** Takes a connection apart: its documents, its page, and what its documents come to. */
export function createConnectionTree({ lists, collector, select, keyFor }: TreeOptions) {
  type Fields = readonly { key: string; name: string; nodes: readonly FieldNode[]; type: GraphQLObjectType }[];

  function below(type: GraphQLObjectType, nodes: readonly FieldNode[]): Fields {
    return [...collector.below(type, nodes)].map(([responseKey, inner]) => {
      const name = inner[0]!.name.value;
      const field = type.getFields()[name];
      return {
        key: keyFor(responseKey),
        name,
        nodes: inner,
        type: (field ? getNamedType(field.type) : type) as GraphQLObjectType,
      };
    });
  }

  const typeName = (key: string, type: GraphQLObjectType): TextPart => ({
    key,
    is: 'text',
    text: JSON.stringify(type.name),
  });

  function aggregate(type: GraphQLObjectType, nodes: readonly FieldNode[]): AggregatePart[] {
    return below(type, nodes).map(({ key, name, nodes: inner, type: object }): AggregatePart => {
      if (name === '__typename') return typeName(key, type);
      if (name === 'count') return { key, is: 'measure', measure: { of: 'count' } };
      if (name === 'groupBy') return { key, is: 'groups', parts: groups(object, inner) };
      const of = name as 'avg' | 'sum' | 'min' | 'max';
      const parts = below(object, inner).map(
        ({ key: innerKey, name: attribute }): AggregatePart =>
          attribute === '__typename'
            ? typeName(innerKey, object)
            : { key: innerKey, is: 'measure', measure: { of, attribute } },
      );
      return { key, is: 'measures', parts };
    });
  }

  function groups(type: GraphQLObjectType, nodes: readonly FieldNode[]): (TextPart | GroupingPart)[] {
    return below(type, nodes).map(({ key, name, nodes: inner, type: object }): TextPart | GroupingPart => {
      if (name === '__typename') return typeName(key, type);
      const args = argumentsOf(type.getFields()[name]!, inner[0]!);
      const parts = below(object, inner).map((part): GroupingPart['parts'][number] => {
        if (part.name === '__typename') return typeName(part.key, object);
        if (part.name === 'key') return { key: part.key, is: 'key' };
        return {
          key: part.key,
          is: 'connection',
          args: argumentsOf(object.getFields()['connection']!, part.nodes[0]!),
          parts: connection(part.type, part.nodes),
        };
      });
      return { key, is: 'grouping', by: name, args, parts };
    });
  }

  function page(key: string, type: GraphQLObjectType, nodes: readonly FieldNode[]): PagePart {
    const fields = below(type, nodes).map(({ key: innerKey, name: field }) => ({ key: innerKey, field }));
    return { key, is: 'pageInfo', fields };
  }

  /** What plugins add to a list is left to their resolvers. */
  function connection(type: GraphQLObjectType, nodes: readonly FieldNode[]): ConnectionPart[] {
    return flatMapped(below(type, nodes), ({ key, name, nodes: inner, type: object }): ConnectionPart[] => {
      if (name === '__typename') return [typeName(key, type)];
      switch (lists.get(type.name)?.get(name)) {
        case 'nodes':
          return [{ key, is: 'nodes', selection: select(object, inner) }];
        case 'aggregate':
          return [{ key, is: 'aggregate', parts: aggregate(object, inner) }];
        case 'pageInfo':
          return [page(key, object, inner)];
        case 'page': {
          const parts = below(object, inner).map((part) =>
            part.name === '__typename' ? typeName(part.key, object) : page(part.key, part.type, part.nodes),
          );
          return [{ key, is: 'page', parts }];
        }
        default:
          return [];
      }
    });
  }

  return { connection, aggregate };
}
