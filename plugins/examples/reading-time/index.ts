import { CONTENT, DOCUMENTS, definePlugin, notFound, type TypeDefinition, z } from 'heddle';

const options = z.strictObject({ wordsPerMinute: z.int().min(1).default(200) });

const attribute = 'readingTime';

/** The attribute whose text is read, where the schema file says so: `"pluginOptions": { "reading-time": { "of": "body" } }`. */
const textOf = ({ pluginOptions }: Pick<TypeDefinition, 'pluginOptions'>): string | undefined =>
  (pluginOptions['reading-time'] as { of?: string } | undefined)?.of;

/** A computed attribute, kept with the document: it can be filtered and sorted by, and reads cost nothing more. */
export default definePlugin<z.infer<typeof options>>({
  name: 'reading-time',
  options,
  apply({ hooks, service }, { wordsPerMinute }) {
    const minutes = (text: unknown): number | null =>
      typeof text === 'string' ? Math.ceil(text.split(/\s+/).filter(Boolean).length / wordsPerMinute) : null;

    hooks.content.type.tap('reading-time', (definition) => {
      if (textOf(definition) === undefined) return definition;
      return { ...definition, attributes: { ...definition.attributes, [attribute]: { type: 'integer' } } };
    });

    hooks.document.data.tap('reading-time', (data, { type }) => {
      const of = textOf(type.definition);
      if (of === undefined) return data;
      // Whatever a caller says of it counts for nothing; without a new text it stays as it is.
      const { [attribute]: _said, ...others } = data;
      return of in data ? { ...others, [attribute]: minutes(data[of]) } : others;
    });

    // A policy: lets everybody through but the public.
    hooks.http.policies.tap('reading-time', (policies) => {
      policies.add('reading-time.members', ({ state }) => state['principal'].kind !== 'public');
    });

    // A middleware with an option: who asked may keep the answer for a while.
    hooks.http.middlewares.tap('reading-time', (middlewares) => {
      middlewares.add('reading-time.keep', {
        options: z.strictObject({ seconds: z.int().min(1).default(60) }),
        make: (given) => async (context, next) => {
          await next();
          context.set('Cache-Control', `private, max-age=${(given as { seconds: number }).seconds}`);
        },
      });
    });

    // A route that has both around it.
    hooks.http.routes.tap('reading-time', (routes) => {
      routes.add({
        method: 'GET',
        path: '/reading-time/:plural',
        access: 'open',
        policies: ['reading-time.members'],
        middlewares: [{ name: 'reading-time.keep', config: { seconds: 300 } }],
        async handle(context) {
          const type = service(CONTENT).documents.find(({ pluralName }) => pluralName === context['params'].plural);
          if (!type || textOf(type.definition) === undefined) throw notFound();
          const longest = await service(DOCUMENTS)
            .of(type.uid)
            .find({
              fields: [attribute],
              sort: `${attribute}:desc`,
              filters: { [attribute]: { $notNull: true } },
              window: () => ({ start: 0, limit: 10, total: false }),
            });
          context.body = longest.map(({ documentId, readingTime }) => ({ documentId, readingTime }));
        },
      });
    });
  },
});
