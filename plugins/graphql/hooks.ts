import type { DocumentNode, FieldNode, GraphQLFieldResolver, GraphQLResolveInfo, GraphQLScalarType } from 'graphql';
import type { Context } from 'koa';
import { SyncHook } from 'tapable';
import type { ContentType, HeddleError, Operation, Principal } from '../../core';
import type { GraphqlExtension } from './extension/extension';
import type { InGroups } from './query/aggregate';

/** An argument of root fields that selects variants of documents, as a parameter of requests does. */
export interface RootArgument {
  readonly name: string;
  /** As it stands in the schema: `status: PublicationStatus = PUBLISHED`. */
  readonly definition: string;
  /** The parameter that it sets. */
  readonly parameter: string;
  /** The parameter's value; the argument's own, unless given. */
  toParameter?(value: unknown): unknown;
  /** Where null is a value; elsewhere it is as if the argument were not there. */
  readonly takesNull?: 'write';
  /** Where it is taken: reads, writes, deletions. */
  appliesTo(type: ContentType, field: 'read' | 'write' | 'delete'): boolean;
  /** Behind the argument `data`. */
  readonly isLast?: boolean;
}

/** What a resolver of a contribution receives besides its arguments. */
export interface GraphqlContext {
  readonly principal: Principal;
  /** Refuses what nobody allows the principal to do. */
  permit(action: string): Promise<void>;
  /** A document as it is asked for under a key of the field's answer, for answers of writes: nobody is asked about itself. */
  shown(info: GraphQLResolveInfo, field: string, uid: string, documentId: string): Promise<unknown>;
  /** The request, as middlewares and handlers know it. */
  readonly http: Context;
  /** The request and its state under the names that resolvers of Strapi projects know. */
  readonly koaContext: Context;
  readonly state: Context['state'];
  /** What is wrong with fields that could not be read with the others. */
  readonly refusals: Map<FieldNode, HeddleError>;
  /** What its groups have come to so far. */
  readonly inGroups: InGroups;
}

export type Resolver = GraphQLFieldResolver<unknown, GraphqlContext>;

/** How a field is answered; `subscribe` makes the events of a subscription. */
export interface FieldResolvers {
  readonly resolve?: Resolver;
  readonly subscribe?: Resolver;
}

/**
 * Field → how it is answered; `__resolveType` of unions and interfaces, `__isTypeOf` of types, and for enumerations
 * name → the value that resolvers know.
 */
export type TypeResolvers = Readonly<Record<string, unknown>>;

/** A scalar for codes: one in the document itself is checked, one in variables is taken as it is. */
export interface CodeScalar {
  readonly name: string;
  readonly description: string;
  /** What is wrong with what stands in the document: a text, or undefined for anything else. */
  refusal(code: string | undefined): string | undefined;
}

/** Types, fields and their resolvers, besides those that are made of content types. */
export interface Contribution {
  /** Whose it is, for messages. */
  readonly plugin: string;
  /** Content types whose types it refers to; it is left out where these are not served. */
  readonly needs?: readonly string[];
  /** Definitions; `extend type Query` or a further `type Query` adds fields to a type that is there. */
  readonly typeDefs: string | DocumentNode;
  /** Type → field → resolver. */
  readonly resolvers?: Readonly<Record<string, TypeResolvers>>;
  readonly scalars?: readonly GraphQLScalarType[];
  readonly codes?: readonly CodeScalar[];
}

export interface Contributions {
  add(contribution: Contribution): void;
}

export interface RootArguments {
  add(argument: RootArgument): void;
}

/** Something that happens to documents, which subscribers are told of. */
export interface EventKind {
  /** `Published`: the field is called after it, `articlePublished`. */
  readonly name: string;
  /** Tells the id alone, since there is no document any more. */
  readonly isEnd?: boolean;
  appliesTo(type: ContentType): boolean;
  isMadeBy(operation: Operation): boolean;
}

export interface EventKinds {
  add(kind: EventKind): void;
}

/** What a tap says of itself: `hooks.graphql.extend.tap({ name: 'shop', mayWait: true }, …)`. */
export interface SchemaTap {
  /**
   * Whether its mistakes may be told with the first request. A schema of nothing but taps that may wait is made then; any
   * other is made at the start. What taps contribute is asked for at the start in any case, for the names in it.
   */
  readonly mayWait?: boolean;
}

/** What plugins may add to the GraphQL interface. */
export const graphqlHooks = () =>
  Object.freeze({
    /** To say what of content types is served, and to add types, fields, resolvers and what stands around them. */
    extend: new SyncHook<[extension: GraphqlExtension], void, SchemaTap>(['extension']),
    /** To add kinds of events that subscribers are told of. */
    events: new SyncHook<[kinds: EventKinds]>(['kinds']),
    /** To add arguments of root fields that select variants of documents. */
    arguments: new SyncHook<[args: RootArguments], void, SchemaTap>(['args']),
    /** To add types and fields with resolvers of their own; two plugins over one field are an error that names both. */
    contribute: new SyncHook<[contributions: Contributions], void, SchemaTap>(['contributions']),
  });

export type GraphqlHooks = ReturnType<typeof graphqlHooks>;

declare module '../../core/types' {
  interface HookBags {
    graphql: GraphqlHooks;
  }
}
