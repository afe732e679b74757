import { type GraphQLObjectType, GraphQLSchema, type GraphQLUnionType, isObjectType, isUnionType } from 'graphql';
import { type ContentRegistry, type Heddle, typeKey } from '../../../core';
import { itselfField, shownField } from '../answer/reading';
import { createResolvers } from '../answer/resolvers';
import { builtContributions } from '../extension/builder-types';
import { collectExtensions, type ExtensionTools, type UsedExtension } from '../extension/extension';
import { guardResolvers, type Named, resolverConfigs, scopeOf as scopeOfConfig } from '../extension/guard';
import type { Contribution, EventKind, GraphqlHooks } from '../hooks';
import { type DocumentAccess, type Surroundings, scopeOf } from '../query/read';
import { isShadowResolver } from '../query/shadow-resolver';
import { type EventResolverParts, eventResolvers } from '../subscriptions/event-resolvers';
import { buildSchema, sketchSchema } from './build-schema';
import { commonTypes, filterInputs } from './common-types';
import { documentTypes } from './document-types';
import type { Meanings, RootMeaning } from './meaning';
import { scalars, zoneScalar } from './scalars';
import { createShadow } from './shadow';

/** A schema with its resolvers, and what the generated part of it means. */
export interface CompleteSchema {
  readonly schema: GraphQLSchema;
  readonly meanings: Meanings;
}

export interface SchemaParts {
  readonly hooks: Pick<GraphqlHooks, 'extend'>;
  /** What plugins add to it. */
  readonly contributed: readonly Contribution[];
  readonly registry: ContentRegistry;
  readonly shadowCRUD: boolean;
  /** Whether there are the forms of Strapi 4, too. */
  readonly v4Forms: boolean;
  readonly surroundings: Surroundings;
  readonly access: DocumentAccess;
  readonly appDir: string;
  /** How subscribers hear of events; absent where there are no subscriptions. */
  readonly subscriptions: Pick<EventResolverParts, 'channel' | 'options'> | undefined;
  /** What they hear of. */
  readonly eventKinds: readonly EventKind[];
  readonly named: Named;
  readonly service: Heddle['service'];
}

const nothing: Meanings = { types: new Map(), fields: new Map(), lists: new Map(), roots: new Map() };

/** Gives generated fields their resolvers, and unions a way to tell their types. */
function resolveGenerated(
  schema: GraphQLSchema,
  meanings: Meanings,
  { surroundings, access }: Pick<SchemaParts, 'surroundings' | 'access'>,
): void {
  const resolverOf = createResolvers({ surroundings, access, meanings });
  for (const type of Object.values(schema.getTypeMap())) {
    if (isUnionType(type)) tellType(type, schema, meanings);
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const root = meanings.roots.get(`${type.name}.${field.name}`);
      const shown = meanings.fields.get(type.name)?.get(field.name)?.is === 'itself' ? itselfField : shownField;
      field.resolve ??= (root ? resolverOf(root) : shown) as never;
    }
  }
}

/** Which of a union's types stands somewhere, by the content type that the read tells. */
function tellType(union: GraphQLUnionType, schema: GraphQLSchema, { types }: Meanings): void {
  const names = new Map(schema.getPossibleTypes(union).map(({ name }) => [types.get(name)?.uid, name]));
  union.resolveType ??= (value) => names.get((value as Record<string, string>)[typeKey]);
}

/** What extensions add, in text and as values; each may refer to what those before it added. */
function extended(
  contributions: readonly Contribution[],
  used: readonly UsedExtension[],
  tools: ExtensionTools,
): Contribution[] {
  const all = [...contributions];
  for (const extension of used) {
    const { plugin, typeDefs = '', resolvers } = extension;
    const written: Contribution = { plugin, typeDefs, resolvers };
    if (extension.types?.length) {
      const there = sketchSchema([...all, written]) ?? sketchSchema(all) ?? new GraphQLSchema({});
      all.push(...builtContributions(extension, there, tools));
    }
    all.push(written);
  }
  return all;
}

const rootTypes = ['Query', 'Mutation', 'Subscription'];

/** What each root field takes to be allowed. One that an extension adds is private unless it says otherwise. */
function demandedScopes(
  schema: GraphQLSchema,
  meanings: Meanings,
  own: readonly Contribution[],
): Map<string, readonly string[]> {
  const contributed = sketchSchema(own);
  const demanded = new Map<string, readonly string[]>();
  for (const name of rootTypes) {
    const type = schema.getType(name);
    const theirs = contributed?.getType(name);
    const open = isObjectType(theirs) ? theirs.getFields() : {};
    for (const field of isObjectType(type) ? Object.keys(type.getFields()) : []) {
      const key = `${name}.${field}`;
      const meaning = meanings.roots.get(key);
      if (meaning) demanded.set(key, scopeOf(meaning));
      else if (!open[field]) demanded.set(key, [key]);
    }
  }
  return demanded;
}

/** The schema of all content types, and of what plugins contribute. */
export function completeSchema(parts: SchemaParts): CompleteSchema {
  const { hooks, registry, shadowCRUD, v4Forms, named, contributed, service, appDir } = parts;
  const { rootArguments, mayDo } = parts.surroundings;
  const shadow = createShadow(registry);
  const { used, tools } = collectExtensions(hooks, shadow, appDir);
  const configs = resolverConfigs(used);
  const generated = shadowCRUD
    ? documentTypes({
        registry,
        shadow,
        rootArguments,
        v4Forms,
        eventKinds: parts.subscriptions ? parts.eventKinds : [],
      })
    : undefined;
  const isThere = (uid: string): boolean => shadowCRUD && shadow.isServed(uid);
  const contributions: Contribution[] = [
    {
      plugin: 'graphql',
      typeDefs: [
        ...scalars.map(({ name }) => `scalar ${name}\n`),
        commonTypes,
        filterInputs,
        generated?.typeDefs ?? '',
      ].join(''),
      scalars: [...scalars, ...(generated?.zoneInputs ?? []).map(zoneScalar)],
    },
    ...contributed.filter(({ needs = [] }) => needs.every(isThere)),
  ];
  const schema = buildSchema(extended(contributions, used, tools));

  const { roots, ...shown } = generated?.meanings ?? nothing;
  const scoped = [...roots].map(([key, meaning]): [string, RootMeaning] => {
    const config = configs.get(key);
    return [key, { ...meaning, scope: config && scopeOfConfig(config) }];
  });
  const meanings: Meanings = { ...shown, roots: new Map(scoped) };
  resolveGenerated(schema, meanings, parts);
  const told = schema.getSubscriptionType()?.getFields() ?? {};
  const resolverOf = createResolvers({ ...parts, meanings });
  for (const [name, meaning] of generated?.events ?? []) {
    const scope = scopeOfConfig(configs.get(`Subscription.${name}`) ?? {});
    const read = { ...meaning.read, scope };
    const { channel, options } = parts.subscriptions!;
    const resolvers = eventResolvers({ ...meaning, read }, resolverOf(read), {
      channel,
      options,
      access: parts.access,
    });
    Object.assign(told[name]!, resolvers);
  }
  const asking = new Set(
    [...meanings.roots.keys()].filter((key) => {
      const [type = '', field = ''] = key.split('.');
      return isShadowResolver((schema.getType(type) as GraphQLObjectType).getFields()[field]!.resolve);
    }),
  );
  for (const name of generated?.events.keys() ?? []) asking.add(`Subscription.${name}`);
  guardResolvers(configs, {
    schema,
    named,
    service,
    mayDo,
    asking,
    demanded: demandedScopes(schema, meanings, contributions),
  });
  return { schema, meanings };
}
