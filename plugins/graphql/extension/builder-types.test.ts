import { definePlugin } from '../../../core';
import { type FixtureApp, fixtureApp } from '../fixture-app.fixture';
import type { Extension } from './extension';

const adding = (name: string, extension: Extension) =>
  definePlugin({
    name,
    after: ['graphql'],
    apply: ({ hooks }) => hooks.graphql.extend.tap(name, ({ use }) => void use(extension)),
  });

async function withTypes(extension: Extension, use: (app: FixtureApp) => Promise<void>): Promise<void> {
  const app = await fixtureApp({}, { own: [adding('shop', extension)] });
  try {
    await use(app);
  } finally {
    await app.remove();
  }
}

const open = (...fields: string[]) => Object.fromEntries(fields.map((field) => [field, { auth: false as const }]));

test('types of graphql-js, with what they refer to', async () => {
  await withTypes(
    ({ graphql: { GraphQLObjectType, GraphQLString, GraphQLEnumType, GraphQLInputObjectType, GraphQLInt } }) => {
      const size = new GraphQLEnumType({ name: 'Size', values: { S: { value: 1 }, L: { value: 2 } } });
      const shirt = new GraphQLObjectType({
        name: 'Shirt',
        description: 'What one wears',
        fields: { color: { type: GraphQLString }, size: { type: size, resolve: () => 2 } },
      });
      const wanted = new GraphQLInputObjectType({
        name: 'Wanted',
        fields: { size: { type: size }, most: { type: GraphQLInt, defaultValue: 7 } },
      });
      const query = new GraphQLObjectType({
        name: 'Query',
        fields: {
          shirt: {
            type: shirt,
            args: { wanted: { type: wanted } },
            resolve: (_parent, args: { wanted: { size: number; most: number } }) => ({
              color: `${args.wanted.size} of ${args.wanted.most}`,
            }),
          },
        },
      });
      return { types: [query], resolversConfig: open('Query.shirt') };
    },
    async (app) => {
      const { body } = await app.ask(
        '{ shirt(wanted: { size: L }) { color size } tags { label } }',
        undefined,
        'public',
      );
      expect(body).toEqual({ data: { shirt: { color: '2 of 7', size: 'L' }, tags: [] } });
    },
  );
});

test('builders of Pothos, which may add to content types', async () => {
  await withTypes(
    ({ pothos: { default: SchemaBuilder } }) => {
      const builder = new SchemaBuilder<{ Objects: { Tag: { label: string }; Pen: { ink: string } } }>({});
      builder.objectType('Pen', { fields: (t) => ({ ink: t.exposeString('ink') }) });
      builder.objectType('Tag', {
        fields: (t) => ({ pen: t.field({ type: 'Pen', resolve: ({ label }) => ({ ink: label }) }) }),
      });
      builder.queryType({
        fields: (t) => ({
          pens: t.field({
            type: ['Pen'],
            args: { n: t.arg.int({ required: true }) },
            resolve: (_p, { n }) => [{ ink: `${n}` }],
          }),
        }),
      });
      return { types: [builder], resolversConfig: open('Query.pens') };
    },
    async (app) => {
      await app.documents.of('api::tag.tag').create({ label: 'blue' });
      const { body } = await app.ask('{ pens(n: 3) { ink } tags { label pen { ink } } }', undefined, 'public');
      expect(body).toEqual({ data: { pens: [{ ink: '3' }], tags: [{ label: 'blue', pen: { ink: 'blue' } }] } });
    },
  );
});

test('definitions of Nexus, which may name content types, with plugins of Nexus', async () => {
  const built: string[] = [];
  await withTypes(
    ({ nexus }) => ({
      types: [
        nexus.objectType({ name: 'Ink', definition: (t) => t.string('tone') }),
        [
          nexus.extendType({
            type: 'Query',
            definition(t) {
              t.list.field('inks', { type: 'Ink', resolve: () => [{ tone: 'red' }] });
              t.field('anyTag', { type: 'Tag', resolve: () => ({ label: 'mine' }) });
            },
          }),
        ],
        nexus.extendType({
          type: 'Tag',
          definition: (t) =>
            t.field('ink', { type: 'Ink', resolve: (tag) => ({ tone: (tag as { label: string }).label }) }),
        }),
      ],
      plugins: [
        nexus.plugin({
          name: 'watch',
          onCreateFieldResolver: ({ parentTypeConfig, fieldConfig }) => {
            if (parentTypeConfig.name === 'Query' && fieldConfig.name === 'inks') built.push(fieldConfig.name);
            return async (root, args, context, info, next) => {
              const value = await next(root, args, context, info);
              return fieldConfig.name === 'tone' ? `${value}!` : value;
            };
          },
        }),
      ],
      resolversConfig: open('Query.inks', 'Query.anyTag'),
    }),
    async (app) => {
      await app.documents.of('api::tag.tag').create({ label: 'blue' });
      const { body } = await app.ask('{ inks { tone } anyTag { label } tags { ink { tone } } }', undefined, 'public');
      expect(body).toEqual({
        data: { inks: [{ tone: 'red!' }], anyTag: { label: 'mine' }, tags: [{ ink: { tone: 'blue!' } }] },
      });
      expect(built).toEqual(['inks']);
    },
  );
});

test('two plugins over one type are refused, whatever they are built with', async () => {
  const own = [
    adding('a', ({ graphql }) => ({
      types: [new graphql.GraphQLObjectType({ name: 'Box', fields: { size: { type: graphql.GraphQLInt } } })],
    })),
    adding('b', { typeDefs: 'type Box { size: Int }' }),
  ];
  await expect(fixtureApp({}, { own })).rejects.toThrow(
    'GraphQL field Box.size: is added by plugin "a" and by plugin "b".',
  );
});

test('what is no type is refused', async () => {
  await expect(fixtureApp({}, { own: [adding('shop', { types: [5] })] })).rejects.toThrow(
    'plugin "shop": uses a value of type number in "types".',
  );
});
