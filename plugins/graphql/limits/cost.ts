import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  getVariableValues,
  isAbstractType,
  isListType,
  isObjectType,
  type OperationDefinitionNode,
} from 'graphql';
import { flatMapped } from '../../../core';
import { argumentsOf } from '../query/argument-values';
import { type Collected, type Collector, createCollector, fragmentsIn, type Variables } from '../query/collected';
import { type PageLimits, pageFrom } from '../query/page';
import type { Meanings } from '../schema/meaning';
import { createIntrospectionLimit } from './introspection';
import { variablesError } from './variables';

/** A number that may depend on variables. */
export type Amount = number | ((variables: Variables) => number);

export const amountAt = (amount: Amount, variables: Variables): number =>
  typeof amount === 'number' ? amount : amount(variables);

function combined(amounts: readonly Amount[], combine: (values: readonly number[]) => number): Amount {
  if (amounts.every((amount) => typeof amount === 'number')) return combine(amounts);
  return (variables) => combine(amounts.map((amount) => amountAt(amount, variables)));
}

/**
 * A variable that fits its type may still be null where a directive needs a value. What is asked for then nobody can tell, nor
 * what the rest of it costs.
 */
const unreadable = ({ message, nodes }: GraphQLError): GraphQLError =>
  new GraphQLError(message, { nodes, extensions: { code: 'BAD_USER_INPUT' } });

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export interface CostParts {
  readonly schema: GraphQLSchema;
  readonly meanings: Meanings;
  readonly limits: PageLimits;
  /** The most that an operation may cost. */
  readonly most: number;
}

/** What operations cost: the most documents and components that they may answer, each page full. */
export function createCostLimit({ schema, meanings, limits, most }: CostParts) {
  const introspection = createIntrospectionLimit(schema);

  /** How often a field shows what is below it. */
  function timesOf(parent: GraphQLObjectType, field: GraphQLField<unknown, unknown>, node: FieldNode): Amount {
    if (field.args.some(({ name }) => name === 'pagination')) {
      const values = argumentsOf(field, node);
      const times = (variables: Variables): number => {
        try {
          return pageFrom(values(variables)['pagination'], limits).limit;
        } catch {
          // What is wrong with it, the field tells.
          return 1;
        }
      };
      return values.isConstant ? times({}) : times;
    }
    // A zone is what an editor made of it; groups, and lists of plugins, are of any length.
    const isGenerated = meanings.fields.has(parent.name) || meanings.roots.has(`${parent.name}.${field.name}`);
    return !isGenerated && isListType(getNullableType(field.type)) ? limits.defaultLimit : 1;
  }

  function below(type: GraphQLNamedType, nodes: readonly FieldNode[], collector: Collector): Amount {
    const possible = isAbstractType(type) ? schema.getPossibleTypes(type) : isObjectType(type) ? [type] : [];
    return combined(
      possible.map((object) => within(object, collector.below(object, nodes), collector)),
      sum,
    );
  }

  const often = (times: Amount, each: Amount): Amount =>
    combined([times, each], ([count = 0, cost = 0]) => count * (1 + cost));

  /** A list in an object: its documents as often as there are any, all else once. */
  function listed(times: Amount, type: GraphQLObjectType, nodes: readonly FieldNode[], collector: Collector): Amount {
    const parts = flatMapped(collector.below(type, nodes).values(), (inner): Amount[] => {
      const { name, selectionSet } = inner[0]!;
      if (!selectionSet) return [];
      const each = below(getNamedType(type.getFields()[name.value]!.type), inner, collector);
      return [meanings.lists.get(type.name)!.get(name.value) === 'nodes' ? often(times, each) : each];
    });
    return combined(parts, sum);
  }

  function costOfField(parent: GraphQLObjectType, nodes: readonly FieldNode[], collector: Collector): Amount {
    const [node] = nodes as [FieldNode];
    const field = parent.getFields()[node.name.value];
    if (!field || !node.selectionSet) return 0;
    const type = getNamedType(field.type);
    const times = timesOf(parent, field, node);
    if (isObjectType(type) && meanings.lists.has(type.name)) return listed(times, type, nodes, collector);
    const each = below(type, nodes, collector);
    return meanings.fields.get(parent.name)?.get(field.name)?.is === 'itself' ? each : often(times, each);
  }

  function within(parent: GraphQLObjectType, collected: Collected, collector: Collector): Amount {
    return combined(
      [...collected.values()].map((nodes) => costOfField(parent, nodes, collector)),
      sum,
    );
  }

  function refusal(cost: number): GraphQLError | undefined {
    if (cost <= most) return undefined;
    return new GraphQLError(`The query may answer ${cost} entries. The maximum is ${most}: ask for smaller pages.`, {
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    });
  }

  return {
    /** What the fields of a root type cost. */
    costOf: within,
    refusal,
    /** Why a valid operation is refused, if it is. */
    refusalOf(
      { definitions }: DocumentNode,
      operation: OperationDefinitionNode,
      given: Variables,
    ): GraphQLError | undefined {
      const tooMuch = variablesError(given, operation.operation);
      if (tooMuch) return tooMuch;
      const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], given, { maxErrors: 1 });
      const root = schema.getRootType(operation.operation);
      // Variables that do not fit, and what the schema does not have, are told of when it is executed.
      if (!coerced || !root) return undefined;
      const collector = createCollector(schema, fragmentsIn(definitions), coerced);
      try {
        const collected = collector.root(root, operation);
        return (
          introspection.refusal(root, collected, collector) ??
          refusal(amountAt(within(root, collected, collector), coerced))
        );
      } catch (error) {
        if (error instanceof GraphQLError) return unreadable(error);
        throw error;
      }
    },
  };
}

export type CostLimit = ReturnType<typeof createCostLimit>;
