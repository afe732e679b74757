import type { ContentType } from '../../../core';
import type { EventKind } from '../hooks';
import { namesOf } from '../names';
import { type EventMeaning, subscriptionTypes } from '../subscriptions/subscription-types';
import { createAggregateTypes } from './aggregate-types';
import { createInputTypes } from './input-types';
import type { Meanings, RootMeaning } from './meaning';
import { createOutputTypes } from './output-types';
import type { ZoneInput } from './scalars';
import { shadowedTypes } from './shadow';
import { block, createTypeWriter, type TypeWriterOptions } from './type-writer';
import { formerLists, formerTypes } from './v4-forms';

export interface DocumentTypes {
  readonly typeDefs: string;
  /** Scalars that take the entries of zones, one for each. */
  readonly zoneInputs: readonly ZoneInput[];
  readonly meanings: Meanings;
  /** Field of the type Subscription → what it tells of. */
  readonly events: ReadonlyMap<string, EventMeaning>;
}

export interface DocumentTypesOptions extends Omit<TypeWriterOptions, 'served'> {
  /** What subscribers are told of; nothing where there are no subscriptions. */
  readonly eventKinds: readonly EventKind[];
}

/** Types, inputs and root fields of all content types, as definitions, with what each field means. */
export function documentTypes({ eventKinds, ...options }: DocumentTypesOptions): DocumentTypes {
  const { registry, shadow, rootArguments, v4Forms } = options;
  const served = shadowedTypes(registry, shadow);
  const writer = createTypeWriter({ ...options, served: new Set(served.map(({ uid }) => uid)) });
  const { definitions } = writer;
  const { zoneInputs, filtersOf, inputOf } = createInputTypes(writer);
  const { types, fields, lists, listOf, nodesOf, outputOf } = createOutputTypes(writer, filtersOf);
  const aggregatorOf = createAggregateTypes(writer, filtersOf);
  const roots = new Map<string, RootMeaning>();
  const queries: string[] = [];
  const mutations: string[] = [];

  function argumentsOf(type: ContentType, field: 'read' | 'write' | 'delete', isLast: boolean): string[] {
    return rootArguments
      .filter((argument) => (argument.isLast === true) === isLast && argument.appliesTo(type, field))
      .map(({ definition }) => definition);
  }

  const inParentheses = (args: readonly string[]): string => (args.length === 0 ? '' : `(${args.join(', ')})`);

  function addQueries(type: ContentType): void {
    const { one, list, type: name } = namesOf(type);
    const isSingle = type.modelKind === 'singleType';
    const selecting = [...argumentsOf(type, 'read', false), ...argumentsOf(type, 'read', true)];
    const read = (field: string, does: RootMeaning['does'], args: readonly string[], answer: string): void => {
      queries.push(`${field}${inParentheses([...args, ...selecting])}: ${answer}`);
      // A single type has one document, and finding it is finding them all.
      const permission = shadow.permission(type.uid, does === 'findOne' && !isSingle ? 'findOne' : 'find');
      roots.set(`Query.${field}`, { type, does, permission });
    };
    if (shadow.serves(type.uid, isSingle ? 'find' : 'findOne'))
      read(one, 'findOne', isSingle ? [] : ['documentId: ID!'], outputOf(type));
    if (isSingle || !shadow.serves(type.uid, 'find')) return;
    const listed = [`filters: ${filtersOf(type)}`, 'pagination: PaginationArg = {}', 'sort: [String] = []'];
    const collection = listOf(`${name}EntityResponseCollection`, [
      nodesOf(type),
      { name: 'pageInfo', part: 'pageInfo', definition: 'pageInfo: Pagination!' },
      ...(v4Forms ? formerLists(name) : []),
      { name: 'aggregate', part: 'aggregate', definition: `aggregate: ${aggregatorOf(type)}` },
    ]);
    read(`${list}_connection`, 'connection', listed, collection);
    read(list, 'find', listed, `[${outputOf(type)}]!`);
  }

  function addMutations(type: ContentType): void {
    const { type: name } = namesOf(type);
    const isSingle = type.modelKind === 'singleType';
    const document = isSingle ? [] : ['documentId: ID!'];
    const write = (does: 'create' | 'update' | 'delete', args: readonly string[], answer: string): void => {
      mutations.push(`${does}${name}${inParentheses(args)}: ${answer}`);
      roots.set(`Mutation.${does}${name}`, { type, does, permission: shadow.permission(type.uid, does) });
    };
    const changing = (before: readonly string[]): string[] => [
      ...before,
      ...argumentsOf(type, 'write', false),
      `data: ${inputOf(type)}!`,
      ...argumentsOf(type, 'write', true),
    ];
    if (!isSingle && shadow.serves(type.uid, 'create')) write('create', changing([]), outputOf(type));
    if (shadow.serves(type.uid, 'update')) write('update', changing(document), outputOf(type));
    if (shadow.serves(type.uid, 'delete')) {
      const selecting = [...argumentsOf(type, 'delete', false), ...argumentsOf(type, 'delete', true)];
      write('delete', [...document, ...selecting], 'DeleteMutationResponse');
    }
  }

  if (v4Forms) definitions.push(formerTypes);
  for (const type of served) {
    addQueries(type);
    addMutations(type);
  }
  const { typeDefs: subscriptions, meanings: events } = subscriptionTypes({
    kinds: eventKinds,
    types: served,
    serves: ({ uid }) => shadow.serves(uid, 'find') || shadow.serves(uid, 'findOne'),
    selecting: (type) => [...argumentsOf(type, 'read', false), ...argumentsOf(type, 'read', true)],
    outputOf,
    permission: ({ uid }) => shadow.permission(uid, 'find'),
  });
  definitions.push(subscriptions);
  if (queries.length > 0) definitions.push(block('type Query', queries));
  if (mutations.length > 0) definitions.push(block('type Mutation', mutations));
  return { typeDefs: definitions.join('\n'), zoneInputs, meanings: { types, fields, lists, roots }, events };
}
