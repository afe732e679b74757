import {
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLType,
  getIntrospectionQuery,
  getNamedType,
  getNullableType,
  introspectionTypes,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isObjectType,
  isUnionType,
  isWrappingType,
  Kind,
  parse,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
} from 'graphql';
import { type Collected, type Collector, createCollector, fragmentsIn } from '../query/collected';

/** How many times as much as what tools ask for to know all of a schema. */
const timesAll = 2;

const metaFields = new Map([SchemaMetaFieldDef, TypeMetaFieldDef].map((field) => [field.name, field]));
const described = new Set(introspectionTypes.map(({ name }) => name));

/** The mean of the lengths, without those of empty lists. */
function usual(lengths: readonly number[]): number {
  const some = lengths.filter((length) => length > 0);
  return some.length === 0 ? 1 : Math.ceil(some.reduce((total, length) => total + length, 0) / some.length);
}

/** How long the lists are that describe a schema. */
function lengthsIn(schema: GraphQLSchema): ReadonlyMap<string, number> {
  const types = Object.values(schema.getTypeMap());
  const withFields = types.filter((type) => isObjectType(type) || isInterfaceType(type));
  const fields = withFields.map((type) => Object.values(type.getFields()));
  const inputs = types.filter(isInputObjectType).map((type) => Object.keys(type.getFields()).length);
  return new Map([
    ['types', types.length],
    ['directives', schema.getDirectives().length],
    ['fields', usual(fields.map(({ length }) => length))],
    ['args', usual(fields.flat().map(({ args }) => args.length))],
    ['inputFields', usual(inputs)],
    ['enumValues', usual(types.filter(isEnumType).map((type) => type.getValues().length))],
    ['possibleTypes', usual(types.filter(isUnionType).map((type) => type.getTypes().length))],
    ['interfaces', usual(withFields.map((type) => type.getInterfaces().length))],
  ]);
}

function wrapsOf(type: GraphQLType): number {
  return isWrappingType(type) ? 1 + wrapsOf(type.ofType) : 0;
}

/** How often a type is wrapped at most: what is asked of it below that is not there. */
function mostWrapsIn(schema: GraphQLSchema): number {
  const fields = Object.values(schema.getTypeMap()).flatMap((type): { type: GraphQLType }[] =>
    isObjectType(type) || isInterfaceType(type)
      ? Object.values(type.getFields()).flatMap((field) => [field, ...field.args])
      : isInputObjectType(type)
        ? Object.values(type.getFields())
        : [],
  );
  return fields.reduce((most, { type }) => Math.max(most, wrapsOf(type)), 0);
}

/** What the description of a schema costs, which no page bounds: its values, where its lists are as long as usual. */
export function createIntrospectionLimit(schema: GraphQLSchema) {
  let lengths: ReadonlyMap<string, number> | undefined;
  let mostWraps: number | undefined;
  let most: number | undefined;

  function costOf(type: GraphQLObjectType, collected: Collected, collector: Collector, unwrapped = 0): number {
    lengths ??= lengthsIn(schema);
    mostWraps ??= mostWrapsIn(schema);
    let cost = 0;
    for (const nodes of collected.values()) {
      const { name, selectionSet } = nodes[0]!;
      const field = type.getFields()[name.value] ?? metaFields.get(name.value);
      if (!field) continue;
      const below = getNamedType(field.type);
      const now = name.value === 'ofType' ? unwrapped + 1 : 0;
      const isThere = selectionSet && isObjectType(below) && described.has(below.name) && now <= mostWraps;
      const each = 1 + (isThere ? costOf(below, collector.below(below, nodes), collector, now) : 0);
      cost += each * (isListType(getNullableType(field.type)) ? (lengths.get(field.name) ?? 1) : 1);
    }
    return cost;
  }

  /** Of the root's fields those that describe the schema. */
  function ofRoot(root: GraphQLObjectType, collected: Collected, collector: Collector): number {
    const asked = new Map([...collected].filter(([, [node]]) => metaFields.has(node!.name.value)));
    return asked.size === 0 ? 0 : costOf(root, asked, collector);
  }

  /** What tools ask for to know all of the schema. */
  function costOfAll(root: GraphQLObjectType): number {
    const { definitions } = parse(
      getIntrospectionQuery({ inputValueDeprecation: true, specifiedByUrl: true, directiveIsRepeatable: true }),
    );
    const collector = createCollector(schema, fragmentsIn(definitions), {});
    const operation = definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION)!;
    return ofRoot(root, collector.root(root, operation), collector);
  }

  return {
    refusal(root: GraphQLObjectType, collected: Collected, collector: Collector): GraphQLError | undefined {
      const cost = ofRoot(root, collected, collector);
      if (cost === 0) return undefined;
      most ??= timesAll * costOfAll(root);
      if (cost <= most) return undefined;
      return new GraphQLError(
        `The query may describe ${cost} things of the schema. The maximum is ${most}: ask for them one after the other.`,
        { extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } },
      );
    },
  };
}
