import { type ContentType, definePlugin, type TypeDefinition, validationError, z } from 'heddle';

const options = z.strictObject({
  /** The first is that of requests that name none. */
  markets: z.array(z.string().regex(/^[a-z]{2}$/, 'must be two small letters')).min(1),
});

/** Types that have variants say so: `"pluginOptions": { "market": { "varies": true } }`. */
const varies = ({ pluginOptions }: Pick<TypeDefinition, 'pluginOptions'>): boolean =>
  (pluginOptions['market'] as { varies?: boolean } | undefined)?.varies === true;

/** A dimension: a document has a variant for each market, and `?market=jp` selects one. */
export default definePlugin<z.infer<typeof options>>({
  name: 'market',
  after: ['rest', 'graphql'],
  options,
  apply({ hooks }, { markets }) {
    const chosen = (given: unknown): string => {
      if (given === undefined) return markets[0]!;
      if (typeof given === 'string' && markets.includes(given)) return given;
      throw validationError(`There is no market ${JSON.stringify(given)}; there are ${markets.join(', ')}`);
    };

    hooks.content.dimensions.tap('market', (dimensions) => {
      dimensions.add('market', {
        name: 'market',
        attribute: { name: 'market', definition: { type: 'string' } },
        // Writing a document in a market that it lacks adds it there.
        extends: true,
        appliesTo: varies,
        choose: (given, { action }) =>
          given === '*' && (action === 'find' || action === 'delete') ? { any: true } : { is: chosen(given) },
        tie: (given, source) => ({ is: source === undefined ? chosen(given) : String(source) }),
        assumed: () => markets[0]!,
        describe: (choice) => (choice && 'is' in choice ? `market "${choice.is}"` : 'market'),
      });
    });

    hooks.graphql?.arguments.tap('market', (args) => {
      args.add({
        name: 'market',
        definition: 'market: String',
        parameter: 'market',
        appliesTo: ({ definition }: ContentType) => varies(definition),
      });
    });
  },
});
