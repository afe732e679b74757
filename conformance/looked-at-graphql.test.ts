import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  isRequiredArgument,
  isUnionType,
} from 'graphql';
import supertest from 'supertest';
import type { Application } from '../core';
import { GRAPHQL_SCHEMA } from '../plugins/graphql';
import { type Pair, startPair, token } from './looked-at.fixture';
import { chooser, someChoices, writeContent } from './looked-at-content.fixture';

jest.setTimeout(180_000);

// What nobody thinks of: random operations over GraphQL, answered by way of objects and without.

const dataDir = mkdtempSync(join(tmpdir(), 'heddle-looked-at-'));
const runs = Number(process.env['OPERATIONS'] ?? 300);
let pair: Pair;
let schema: GraphQLSchema;
/** Documents by the root field that shows one. */
let known: Readonly<Record<string, string>>;

async function told(app: Application, body: object): Promise<{ status: number; text: string }> {
  const { status, text } = await supertest(app.handler)
    .post('/graphql')
    .set('Authorization', `Bearer ${token}`)
    .buffer(true)
    .ok(() => true)
    .send(body);
  return { status, text };
}

beforeAll(async () => {
  pair = await startPair(dataDir);
  schema = pair.plain.kernel.services.get(GRAPHQL_SCHEMA)();
  known = await writeContent(pair.plain);
});
afterAll(async () => {
  await pair.close();
  rmSync(dataDir, { recursive: true });
});

const argumentValues: Readonly<Record<string, readonly string[]>> = {
  status: ['DRAFT', 'PUBLISHED'],
  pagination: ['{ limit: 1 }', '{ limit: 2, start: 1 }', '{ page: 2, pageSize: 1 }', '{ limit: -1 }'],
  sort: ['["documentId:desc"]', '"id"'],
  locale: ['"fr"', '"en"', '"*"'],
  filters: ['{}', '{ not: { documentId: { eq: "x" } } }', '{ documentId: { null: true } }'],
  hasPublishedVersion: ['true', 'false'],
};
const variables = { yes: true, no: false };

/** The operation that these choices lead to. */
function operationOf(choices: readonly number[]): string {
  const { next, oneOf, sometimes } = chooser(choices);

  function argumentsOf({ name, args }: GraphQLField<unknown, unknown>): string {
    const given = args.flatMap((argument) => {
      if (argument.name === 'documentId') return [`documentId: "${known[name] ?? 'nobody'}"`];
      const values = argumentValues[argument.name];
      return values && next(4) === 1 ? [`${argument.name}: ${oneOf(values)}`] : [];
    });
    return given.length > 0 ? `(${given.join(', ')})` : '';
  }

  function fieldIn(type: GraphQLObjectType | GraphQLInterfaceType, depth: number, isRoot: boolean): string {
    const fits = (field: GraphQLField<unknown, unknown>): boolean => {
      const isAnswerable = field.args.every(
        (argument) => !isRequiredArgument(argument) || argument.name === 'documentId',
      );
      return (
        isAnswerable &&
        (isRoot ? known[field.name] !== undefined || /^[a-z]+(_connection)?$/.test(field.name) : true) &&
        (depth > 0 || isLeafType(getNamedType(field.type)))
      );
    };
    const fields = Object.values(type.getFields()).filter(fits);
    if (fields.length === 0 || next(9) === 1) return '__typename';
    const field = oneOf(fields);
    const alias = sometimes(`${oneOf(['a', 'b', '__c'])}: `, 5);
    const directive = sometimes(
      ` ${oneOf(['@skip(if: $no)', '@include(if: $yes)', '@skip(if: $yes)', '@include(if: true)'])}`,
      9,
    );
    const written = `${alias}${field.name}${argumentsOf(field)}${directive}${below(field, depth)}`;
    return next(9) === 1 ? `... on ${type.name} { ${written} }` : written;
  }

  function below({ type }: GraphQLField<unknown, unknown>, depth: number): string {
    const named = getNamedType(type);
    if (isLeafType(named)) return '';
    if (!isUnionType(named)) return selection(named as GraphQLObjectType, depth - 1, false);
    const members = Array.from({ length: 1 + next(3) }, () => oneOf(named.getTypes()));
    const parts = members.map((member) => `... on ${member.name} ${selection(member, depth - 1, false)}`);
    return ` { ${sometimes('__typename ', 2)}${parts.join(' ')} }`;
  }

  function selection(type: GraphQLObjectType | GraphQLInterfaceType, depth: number, isRoot: boolean): string {
    const count = 1 + next(isRoot ? 2 : 5);
    return ` { ${Array.from({ length: count }, () => fieldIn(type, depth, isRoot)).join(' ')} }`;
  }

  const text = selection(schema.getQueryType()!, 5, true);
  const used = Object.keys(variables).filter((name) => text.includes(`$${name}`));
  const declared = used.length > 0 ? `(${used.map((name) => `$${name}: Boolean!`).join(', ')})` : '';
  return `query asked${declared}${text}`;
}

test('random operations are answered the same', async () => {
  let good = 0;
  await fc.assert(
    fc.asyncProperty(someChoices, async (choices) => {
      const body = { query: operationOf(choices), variables };
      const [plain, looking] = [await told(pair.plain, body), await told(pair.looking, body)];
      if (!plain.text.includes('"errors"')) good += 1;
      expect({ ...body, ...looking }).toEqual({ ...body, ...plain });
    }),
    { numRuns: runs },
  );
  // Most would say nothing if they were refused.
  expect(good).toBeGreaterThan(runs / 2);
  expect(pair.looks()).toBeGreaterThan(runs / 4);
});
