import { CONTENT, DOCUMENTS, definePlugin, didYouMean, problem, queryLimits, refuseIfAny } from '../../core';
import { apiKeys, type RestOptions, restOptions } from './config';
import { routesOf } from './routes';

/** Only an application's own types get routes; those of plugins have routes that their plugin makes. */
const isOwn = (uid: string): boolean => uid.startsWith('api::');

export default definePlugin<RestOptions>({
  name: 'rest',
  options: restOptions,
  apply({ hooks, declare, config, service }, options) {
    declare.declare('api', apiKeys);
    declare.inert('api', {
      documents: 'every parameter is checked',
      'rest.strictParams': 'every parameter is checked',
    });

    hooks.content.type.tap('rest', (definition) => {
      const { privateAttributes } = config().api.responses;
      const own = (definition.options['privateAttributes'] as string[] | undefined) ?? [];
      return privateAttributes.length === 0
        ? definition
        : { ...definition, options: { ...definition.options, privateAttributes: [...own, ...privateAttributes] } };
    });

    hooks.content.schemaReady.tap('rest', ({ types }) => {
      const known = [...types.keys()].filter(isOwn);
      const unknown = Object.keys(options.routes).filter((uid) => !known.includes(uid));
      refuseIfAny(
        unknown.map((uid) =>
          problem(
            'config/plugins',
            'is no content type of this application.',
            `Correct the name.${didYouMean(uid, known)}`,
            `rest.config.routes.${uid}`,
          ),
        ),
      );
    });

    hooks.http.routes.tap('rest', (routes) => {
      const { rest } = config().api;
      const settings = { documents: service(DOCUMENTS), pages: rest, query: queryLimits(config()) };
      const types = service(CONTENT).documents.filter(({ uid }) => isOwn(uid));
      for (const type of types) for (const route of routesOf(type, rest.prefix, options, settings)) routes.add(route);
    });
  },
});
