import { GraphQLScalarType, Kind, valueFromASTUntyped } from 'graphql';
import { GraphQLDate, GraphQLDateTime, GraphQLJSON, GraphQLLong } from 'graphql-scalars';
import type { CodeScalar } from '../hooks';

function fullTime(given: string): string {
  const [, clock, fraction = ''] = /^((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,3}))?$/.exec(given) ?? [];
  if (clock === undefined) throw new TypeError('Invalid time format, expected HH:mm:ss.SSS');
  return `${clock}.${fraction.padEnd(3, '0')}`;
}

const time = new GraphQLScalarType({
  name: 'Time',
  description: 'A time string with format HH:mm:ss.SSS',
  serialize: (value) => value,
  parseValue(given) {
    if (typeof given !== 'string') throw new TypeError(`Expected a string, got a ${typeof given}`);
    return fullTime(given);
  },
  parseLiteral(node) {
    if (node.kind !== Kind.STRING) throw new TypeError('Time cannot represent non string type');
    return fullTime(node.value);
  },
});

export const codeScalar = ({ name, description, refusal }: CodeScalar): GraphQLScalarType =>
  new GraphQLScalarType({
    name,
    description,
    serialize: (value) => value,
    parseValue: (value) => value,
    parseLiteral(node) {
      const code = node.kind === Kind.STRING ? node.value : undefined;
      const wrong = refusal(code);
      if (wrong !== undefined) throw new Error(wrong);
      return code;
    },
  });

/** The components of a zone, by the names of their types and by their own. */
export interface ZoneInput {
  readonly scalar: string;
  readonly components: ReadonlyMap<string, string>;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * An entry of a zone: an object that names its component, by the type in `__typename`, or as over REST in `__component`.
 * What else is in it is the component's affair.
 */
export function zoneScalar({ scalar, components }: ZoneInput): GraphQLScalarType {
  const known = new Set(components.values());
  function entry(given: unknown): unknown {
    const { __typename: type, __component: component, ...values } = isRecord(given) ? given : {};
    const uid = components.get(String(type)) ?? (known.has(String(component)) ? component : undefined);
    if (uid === undefined)
      throw new Error(`Component not found. expected one of: ${[...components.keys()].join(', ')}`);
    return { __component: uid, ...values };
  }
  return new GraphQLScalarType({
    name: scalar,
    serialize: (value) => value,
    parseValue: entry,
    parseLiteral: (node, variables) =>
      node.kind === Kind.OBJECT ? entry(valueFromASTUntyped(node, variables)) : undefined,
  });
}

/** What is read is spelt already; a resolver's own numbers are told while they keep their digits. */
function spelt(value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}

/** A whole number, as the text of its digits. */
function digits(given: unknown): string {
  const text = String(given);
  if (String(BigInt(text)) !== text) throw new TypeError(`Long cannot represent value: ${text}`);
  return text;
}

const long = new GraphQLScalarType({
  name: 'Long',
  description: GraphQLLong.description,
  serialize: spelt,
  parseValue: digits,
  parseLiteral(node) {
    if (!('value' in node)) throw new TypeError('Long cannot represent a value that is no number');
    return digits(node.value);
  },
});

/** The scalars of every schema. Zones have one of their own each. */
export const scalars: readonly GraphQLScalarType[] = [GraphQLJSON, GraphQLDateTime, time, GraphQLDate, long];
