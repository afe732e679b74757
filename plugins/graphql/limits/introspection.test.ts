import { buildSchema, getIntrospectionQuery, type OperationDefinitionNode, parse } from 'graphql';
import { createCollector, fragmentsIn } from '../query/collected';
import { createIntrospectionLimit } from './introspection';

const schema = buildSchema(`
  enum Size { SMALL LARGE }
  input Filter { size: Size, and: [Filter] }
  interface Named { name: String! }
  ${['A', 'B', 'C', 'D']
    .map(
      (name) =>
        `type ${name} implements Named { name: String! size: Size all(filter: Filter, first: Int): [${name}!]! }`,
    )
    .join('\n')}
  union Any = A | B
  type Query { ${['A', 'B', 'C', 'D'].map((name) => `${name.toLowerCase()}(filter: Filter): ${name}`).join(' ')} any: Any }
`);

function refused(query: string): string | undefined {
  const { definitions } = parse(query);
  const collector = createCollector(schema, fragmentsIn(definitions), {});
  const root = schema.getQueryType()!;
  const collected = collector.root(root, definitions[0] as OperationDefinitionNode);
  return createIntrospectionLimit(schema).refusal(root, collected, collector)?.message;
}

const many = (count: number, text: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => text(at)).join(' ');

test('what tools ask for, and all else that is asked for once, is described', () => {
  const all = {
    descriptions: true,
    schemaDescription: true,
    directiveIsRepeatable: true,
    inputValueDeprecation: true,
    specifiedByUrl: true,
    oneOf: true,
  };
  for (const options of [{}, all, { ...all, typeDepth: 100 }])
    expect(refused(getIntrospectionQuery(options))).toBeUndefined();
  expect(refused('{ a { name } }')).toBeUndefined();
  expect(
    refused('{ __typename __type(name: "A") { name fields { name type { name fields { name } } } } }'),
  ).toBeUndefined();
});

test.each([
  ['under many names', `{ ${many(100, (at) => `x${at}: __schema { types { fields { args { name } } } }`)} }`],
  [
    'of one list under many names',
    `{ __schema { ${many(100, (at) => `x${at}: types { fields { args { name } } }`)} } }`,
  ],
  [
    'in fragments, list in list',
    `{ ${many(60, (at) => `x${at}: __schema { ...All }`)} }
     fragment All on __Schema { types { ...Type fields { type { ...Type } args { type { ...Type } } } } }
     fragment Type on __Type { name kind fields { name args { name } type { name ofType { name } } } }`,
  ],
  [
    'of one type',
    `{ ${many(150, (at) => `x${at}: __type(name: "A") { fields { type { fields { type { fields { args { name } } } } } } }`)} }`,
  ],
])('a description %s is refused', (_, query) => {
  expect(refused(query)).toMatch(/^The query may describe \d+ things of the schema\. The maximum is \d+: ask for them/);
});

test('however large a schema is, all of it may be asked for', () => {
  const large = buildSchema(
    `${many(200, (at) => `type T${at} { ${many(1 + (at % 30), (field) => `f${field}(a: Int, b: [String!]): T${field}`)} }`)}
    type Query { t: T0 }`,
  );
  const { definitions } = parse(getIntrospectionQuery());
  const collector = createCollector(large, fragmentsIn(definitions), {});
  const root = large.getQueryType()!;
  const collected = collector.root(root, definitions[0] as OperationDefinitionNode);
  expect(createIntrospectionLimit(large).refusal(root, collected, collector)).toBeUndefined();
});
