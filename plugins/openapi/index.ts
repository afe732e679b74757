import { CONTENT, definePlugin, type RegisteredRoute, type Route } from '../../core';
import { type OpenapiOptions, openapiOptions } from './config';
import { openapiHooks } from './hooks';

const action = 'plugin::openapi.description.find';

const pageFiles = ['page.css', 'page.js'] as const;

export default definePlugin<OpenapiOptions>({
  name: 'openapi',
  after: ['rest', 'graphql'],
  options: openapiOptions,
  apply({ app, config, hooks, ownHooks, service }, options) {
    ownHooks('openapi', openapiHooks());
    const isProduction = app.environment === 'production';
    const isPublic = options.public ?? !isProduction;
    let routes: readonly RegisteredRoute[] = [];
    let text: string | undefined;

    function description(): string {
      // What makes it is loaded with the first use of it.
      const { documentOf } = require('./document/document') as typeof import('./document/document');
      const { api, server } = config();
      text ??= JSON.stringify(
        documentOf({
          registry: service(CONTENT),
          routes,
          prefix: api?.rest.prefix ?? '/api',
          url: server.url,
          info: options.info,
          hooks: hooks.openapi,
        }),
      );
      return text;
    }

    hooks.http.routesReady.tap('openapi', (all) => {
      routes = all;
    });

    hooks.http.routes.tap('openapi', (registered) => {
      const base = `${config().api?.rest.prefix ?? '/api'}/openapi`;
      registered.add({
        method: 'GET',
        path: `${base}.json`,
        access: isPublic ? 'open' : { action },
        handle(context) {
          context.type = 'application/json; charset=utf-8';
          context.body = description();
        },
      });
      if (!(options.page ?? !isProduction)) return;
      const add = (path: string, file: string): void => {
        const handle: Route['handle'] = (context) => {
          const { sendPage } = require('./page') as typeof import('./page');
          return sendPage(context, base, file);
        };
        registered.add({ method: 'GET', path, access: 'open', handle });
      };
      add(base, 'page.html');
      for (const file of pageFiles) add(`${base}/${file}`, file);
    });
  },
});

export type { Descriptions, OpenapiHooks } from './hooks';
