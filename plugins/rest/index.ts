import {
  CONTENT,
  DOCUMENTS,
  definePlugin,
  didYouMean,
  type Principal,
  type Problem,
  problem,
  queryLimits,
  refuseIfAny,
} from '../../core';
import { apiKeys, type RestOptions, restOptions } from './config';
import { type DocumentAction, restHooks } from './hooks';
import { createOlderForm } from './older-form';
import { createQueryReader, loadParser } from './query-string';
import { plainActions, routesOf } from './routes';

/** Only an application's own types get routes; those of plugins have routes that their plugin makes. */
const isOwn = (uid: string): boolean => uid.startsWith('api::');

/** Actions that `routes` names and nothing brings. */
function unknownActions({ routes }: RestOptions, actions: readonly DocumentAction[]): Problem[] {
  const known = [...plainActions, ...actions.map(({ name }) => name)];
  return Object.entries(routes).flatMap(([uid, named]) =>
    (typeof named === 'boolean' ? [] : Array.isArray(named) ? named : Object.keys(named))
      .filter((name) => !known.includes(name))
      .map((name) =>
        problem(
          'config/plugins',
          `names "${name}", which is no action.`,
          `Known are ${known.join(', ')}.${didYouMean(name, known)}`,
          `rest.config.routes.${uid}`,
        ),
      ),
  );
}

export default definePlugin<RestOptions>({
  name: 'rest',
  options: restOptions,
  apply({ hooks, ownHooks, declare, config, service }, options) {
    ownHooks('rest', restHooks());
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

    hooks.lifecycle.warm.tap('rest', () => void loadParser());

    hooks.http.routes.tap('rest', (routes) => {
      const { rest } = config().api;
      const mayDo = async (principal: Principal, action: string): Promise<boolean> =>
        (await hooks.http.authorize.promise({ principal, action })) === true;
      const settings = {
        documents: service(DOCUMENTS),
        pages: rest,
        readQuery: createQueryReader(queryLimits(config())),
        mayDo,
        olderForm: createOlderForm(service(CONTENT)),
      };
      const actions: DocumentAction[] = [];
      hooks.rest.actions.call({ add: (action) => actions.push(action) });
      refuseIfAny(unknownActions(options, actions));
      const types = service(CONTENT).documents.filter(({ uid }) => isOwn(uid));
      for (const type of types)
        for (const route of routesOf(type, rest.prefix, options, settings, actions)) routes.add(route);
    });
  },
});

export { restPrefix } from './config';
export type { DocumentAction, DocumentActions, RestHooks } from './hooks';
export { type PageLimits, parsePagination, refuseMisplaced } from './pagination';
export { createQueryReader, type QueryParameters } from './query-string';
