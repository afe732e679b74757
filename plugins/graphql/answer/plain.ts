import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { flatMapped, joinedBytes, Lru, madeOf, onlyDocument, type Principal } from '../../../core';
import { type Amount, amountAt, type CostLimit } from '../limits/cost';
import { variablesError } from '../limits/variables';
import { type ArgumentsOf, argumentsOf } from '../query/argument-values';
import { type Collected, createCollector, fragmentsIn, type Variables } from '../query/collected';
import { type PageInfo, pageInfo, pageInfoText } from '../query/page';
import { type DocumentAccess, type NamedSelection, type Surroundings, shownOf } from '../query/read';
import { createSelect, missingMark, NeedsResolver, plainPart } from '../query/select';
import { isShadowResolver } from '../query/shadow-resolver';
import type { Meanings, RootMeaning } from '../schema/meaning';
import type { Judge } from './documents';

/** An object of values that are spelt already. */
const objectJson = (entries: readonly (readonly [key: string, json: string | Buffer])[]): Buffer =>
  joinedBytes([
    ...flatMapped(entries, ([key, json], index) => [`${index === 0 ? '{' : ','}${JSON.stringify(key)}:`, json]),
    entries.length === 0 ? '{}' : '}',
  ]);

/** Whether null stands where the schema allows none. */
const lacksSomething = (json: string | Buffer): boolean =>
  typeof json === 'string' ? json.includes(missingMark) : madeOf(json, 'lacks', () => json.includes(missingMark));

/** A root field of a query, ready to be read again and again. */
interface PlainRoot {
  readonly key: string;
  readonly args: ArgumentsOf;
  readonly meaning: RootMeaning;
  readonly selection: NamedSelection;
  /** What a connection shows, key by key; absent elsewhere. */
  readonly shows?: readonly ConnectionKey[];
}

type ConnectionKey =
  | { readonly key: string; readonly is: 'nodes' }
  | { readonly key: string; readonly is: 'text'; readonly text: string }
  | { readonly key: string; readonly is: 'pageInfo'; readonly fields: readonly { key: string; field: string }[] }
  | { readonly key: string; readonly is: 'inside'; readonly shows: readonly ConnectionKey[] };

type Root = PlainRoot | { readonly key: string; readonly text: string };

interface PlainOperation {
  readonly operation: OperationDefinitionNode;
  /** Variables on which it depends what is asked for at all. */
  readonly conditions: readonly string[];
  /** By what these variables are. */
  readonly variants: Map<string, PlainVariant | undefined>;
}

interface PlainVariant {
  readonly roots: readonly Root[];
  readonly cost: Amount;
}

interface PlainDocument {
  readonly fragments: Record<string, FragmentDefinitionNode>;
  readonly operations: readonly PlainOperation[];
}

export interface PlainParts {
  readonly schema: GraphQLSchema;
  readonly meanings: Meanings;
  readonly surroundings: Surroundings;
  readonly access: DocumentAccess;
  readonly judge: Judge;
  readonly costLimit: CostLimit;
}

export interface Asked {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>> | null;
  readonly operationName?: string | null;
}

/** Too large to be looked at by anybody. */
export class OversizedDocument extends Error {
  constructor(readonly errors: readonly GraphQLError[]) {
    super(errors[0]!.message);
  }
}

/** Documents kept at once, and characters in them; a longer one is looked at anew each time, so that nobody can fill the memory. */
const keptDocuments = 1_000;
const keptTexts = 500_000;
const longestKept = 20_000;
/** Combinations of conditions kept for one operation. */
const keptVariants = 32;

const conditional = new Set(['skip', 'include']);

/** The variables in `@skip` and `@include` anywhere in a document. */
function conditionsIn(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    Directive({ name, arguments: args = [] }) {
      if (!conditional.has(name.value)) return;
      for (const { value } of args) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names];
}

const fieldsOf = (collected: Collected): { key: string; field: string }[] =>
  [...collected].map(([key, [node]]) => ({ key, field: node!.name.value }));

/**
 * Answers queries that ask for nothing but what content types hold, each root field by one read whose text goes to the
 * answer as it is. Whatever else there is, mistakes included, is left to the resolvers, which answer the same.
 */
export function createPlainAnswers({ schema, meanings, surroundings, access, judge, costLimit }: PlainParts) {
  const { limits, typeOf } = surroundings;
  const known = new Lru<PlainDocument>(keptDocuments, keptTexts);
  let shapes = 0;

  function prepared(text: string): PlainDocument | undefined {
    const found = known.get(text);
    if (found) return found;
    const judged = judge(text);
    if (judged.is === 'oversized') throw new OversizedDocument(judged.errors);
    if (judged.is === 'wrong') return undefined;
    const { document } = judged;
    const fragments = fragmentsIn(document.definitions);
    const operations: PlainOperation[] = [];
    const conditions = conditionsIn(document);
    for (const definition of document.definitions) {
      if (definition.kind === Kind.OPERATION_DEFINITION)
        operations.push({ operation: definition, conditions, variants: new Map() });
    }
    const plain = { fragments, operations };
    if (text.length <= longestKept) known.set(text, plain);
    return plain;
  }

  function rootOf(
    query: GraphQLObjectType,
    key: string,
    nodes: readonly FieldNode[],
    fragments: PlainDocument['fragments'],
    variables: Variables,
  ): Root {
    const [node] = nodes as [FieldNode];
    const name = node.name.value;
    if (name === '__typename') return { key, text: JSON.stringify(query.name) };
    const field = query.getFields()[name];
    const meaning = meanings.roots.get(`${query.name}.${name}`);
    if (!field || !meaning || !isShadowResolver(field.resolve)) throw new NeedsResolver(name);
    const collector = createCollector(schema, fragments, variables);
    const select = createSelect({ schema, meanings, collector, limits, typeOf });
    const type = getNamedType(field.type) as GraphQLObjectType;
    const args = argumentsOf(field, node);
    const named = (object: GraphQLObjectType, below: readonly FieldNode[]): NamedSelection => ({
      ...select(object, below),
      shape: `graphql ${++shapes}`,
    });
    if (meaning.does !== 'connection') return { key, args, meaning, selection: named(type, nodes) };

    const collected = collector.below(type, nodes);
    const objectAt = (parent: GraphQLObjectType, of: string) =>
      getNamedType(parent.getFields()[of]!.type) as GraphQLObjectType;
    const pageAt = (parent: GraphQLObjectType, inner: string, below: readonly FieldNode[]): ConnectionKey => ({
      key: inner,
      is: 'pageInfo',
      fields: fieldsOf(collector.below(objectAt(parent, below[0]!.name.value), below)),
    });
    const shows = [...collected].map(([inner, below]): ConnectionKey => {
      const of = below[0]!.name.value;
      if (of === '__typename') return { key: inner, is: 'text', text: JSON.stringify(type.name) };
      const part = plainPart(meanings, type, of);
      if (part === 'nodes') return { key: inner, is: 'nodes' };
      if (part === 'pageInfo') return pageAt(type, inner, below);
      if (part !== 'page') throw new NeedsResolver(of);
      const holder = objectAt(type, of);
      const held = [...collector.below(holder, below)].map(([within, asked]): ConnectionKey => {
        if (asked[0]!.name.value !== '__typename') return pageAt(holder, within, asked);
        return { key: within, is: 'text', text: JSON.stringify(holder.name) };
      });
      return { key: inner, is: 'inside', shows: held };
    });
    const lists = shows.filter(({ is }) => is === 'nodes');
    if (lists.length > 1) throw new NeedsResolver(name);
    const [list] = lists;
    const selection: NamedSelection = list
      ? named(objectAt(type, 'nodes'), collected.get(list.key)!)
      : { entries: [], given: [], nodes: [] };
    return { key, args, meaning, selection, shows };
  }

  function variantOf(
    { fragments }: PlainDocument,
    { operation, conditions, variants }: PlainOperation,
    variables: Variables,
  ): PlainVariant | undefined {
    const name = conditions.map((condition) => String(variables[condition])).join();
    if (variants.has(name)) return variants.get(name);
    let made: PlainVariant | undefined;
    try {
      const query = schema.getQueryType()!;
      const collector = createCollector(schema, fragments, variables);
      const collected = collector.root(query, operation);
      const roots = [...collected].map(([key, nodes]) => rootOf(query, key, nodes, fragments, variables));
      made = { roots, cost: costLimit.costOf(query, collected, collector) };
    } catch (error) {
      // What can't be told of a directive, whoever answers mistakes tells.
      if (!(error instanceof NeedsResolver || error instanceof GraphQLError)) throw error;
    }
    if (variants.size < keptVariants) variants.set(name, made);
    return made;
  }

  function connectionJson(shows: readonly ConnectionKey[], nodes: Buffer, info: PageInfo | undefined): Buffer {
    const jsonOfKey = (shown: ConnectionKey): string | Buffer => {
      if (shown.is === 'nodes') return nodes;
      if (shown.is === 'inside') return connectionJson(shown.shows, nodes, info);
      return shown.is === 'text' ? shown.text : pageInfoText(shown.fields, info!);
    };
    return objectJson(shows.map((shown) => [shown.key, jsonOfKey(shown)]));
  }

  async function jsonOf(root: PlainRoot, variables: Variables, principal: Principal): Promise<string | Buffer> {
    const { meaning, args, selection, shows } = root;
    const values = args(variables);
    await access.permit(meaning, principal);
    const shown = shownOf(selection, variables);
    if (meaning.does === 'findOne')
      return onlyDocument(await access.findOne(meaning, principal, values, shown)) ?? 'null';
    if (!shows) return (await access.find(meaning, principal, values, shown, false)).answer.json;
    const needsTotal = shows.some(({ is }) => is === 'pageInfo' || is === 'inside');
    const hasNodes = shows.some(({ is }) => is === 'nodes');
    const { answer, page } = await access.find(meaning, principal, values, hasNodes ? shown : 'none', needsTotal);
    const info = needsTotal ? pageInfo(page, answer.total!) : undefined;
    const whole = (): Buffer => connectionJson(shows, answer.json, info);
    const { shape } = selection;
    return shape === undefined ? whole() : madeOf(answer.json, `${shape} ${JSON.stringify(info)}`, whole);
  }

  function operationNamed(document: PlainDocument, name: string | null | undefined): PlainOperation | undefined {
    const { operations } = document;
    if (name === undefined || name === null) return operations.length === 1 ? operations[0] : undefined;
    return operations.find(({ operation }) => operation.name?.value === name);
  }

  /** The answer as it is sent; undefined where resolvers must answer. */
  return async function answer(
    { query, variables: given, operationName }: Asked,
    principal: Principal,
  ): Promise<Buffer | undefined> {
    const document = prepared(query);
    if (!document) return undefined;
    const plain = operationNamed(document, operationName);
    if (plain?.operation.operation !== 'query') return undefined;
    const tooMuch = variablesError(given ?? {}, plain.operation.operation);
    if (tooMuch) throw new OversizedDocument([tooMuch]);
    const { coerced } = getVariableValues(schema, plain.operation.variableDefinitions ?? [], given ?? {}, {
      maxErrors: 1,
    });
    if (!coerced) return undefined;
    const variant = variantOf(document, plain, coerced);
    if (!variant) return undefined;
    const { roots, cost } = variant;
    const refusal = costLimit.refusal(amountAt(cost, coerced));
    if (refusal) throw new OversizedDocument([refusal]);
    const results = await Promise.allSettled(
      roots.map((root) => ('text' in root ? root.text : jsonOf(root, coerced, principal))),
    );
    const values: [key: string, json: string | Buffer][] = [];
    for (const [index, result] of results.entries()) {
      if (result.status === 'rejected' || lacksSomething(result.value)) return undefined;
      values.push([roots[index]!.key, result.value]);
    }
    const whole = (): Buffer => joinedBytes(['{"data":', objectJson(values), '}\n']);
    const [[key, value] = []] = values;
    return values.length === 1 && Buffer.isBuffer(value) ? madeOf(value, `graphql ${key}`, whole) : whole();
  };
}

export type PlainAnswers = ReturnType<typeof createPlainAnswers>;
