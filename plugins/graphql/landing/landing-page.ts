import type { ApolloServerPlugin } from '@apollo/server';
import type { Context } from 'koa';
import { type AppInfo, problem, type Routes, refuseIfAny } from '../../../core';
import type { GraphqlOptions } from '../config';
import type { GraphqlContext } from '../hooks';
import { altairSources, createAltair } from './altair';
import { extendedPolicy, type NeededSources } from './content-policy';

/** What the pages of Apollo's plugins and of others like them load from elsewhere. */
const pluginSources: NeededSources = {
  'script-src': ["'self'", "'unsafe-inline'", 'https:'],
  'style-src': ["'self'", "'unsafe-inline'", 'https:'],
  'img-src': ["'self'", 'data:', 'blob:', 'https:'],
  'connect-src': ["'self'", 'https:'],
  'frame-src': ["'self'", 'https:'],
  'manifest-src': ["'self'", 'https:'],
};

export type LandingPlugin = ApolloServerPlugin<GraphqlContext>;

/** Nothing, the page that comes with Heddle, or one that a plugin of Apollo Server renders. */
type Chosen = boolean | LandingPlugin;

const isPlugin = (value: unknown): value is LandingPlugin => typeof value === 'object' && value !== null;

function chosen({ landingPage, playgroundAlways }: GraphqlOptions, app: AppInfo): Chosen {
  if (landingPage === undefined) return playgroundAlways || app.environment !== 'production';
  const given = typeof landingPage === 'function' ? (landingPage as (app: AppInfo) => unknown)(app) : landingPage;
  if (typeof given !== 'boolean' && !isPlugin(given))
    refuseIfAny([
      problem(
        'config/plugins',
        `returns ${given instanceof Promise ? 'a promise' : String(given)}.`,
        'Return true, false, or a plugin of Apollo Server that renders a page.',
        'graphql.config.landingPage',
      ),
    ]);
  return given as Chosen;
}

const asksForPage = (context: Context): boolean =>
  context.method === 'GET' &&
  !new URLSearchParams(context.search).has('query') &&
  context.accepts('json', 'html') === 'html';

/** The page that browsers see at the endpoint. */
export function createLandingPage(options: GraphqlOptions, app: AppInfo, notice: (text: string) => void) {
  if (options.playgroundAlways)
    notice('config/plugins graphql.config.playgroundAlways is deprecated: set landingPage instead.');
  const page = chosen(options, app);
  const { endpoint, subscriptions } = options;
  const files = `${endpoint}/client`;
  const altair = page === true ? createAltair({ endpoint, files, subscriptions: subscriptions !== false }) : undefined;

  function extend(context: Context, needed: NeededSources): void {
    for (const name of ['Content-Security-Policy', 'Content-Security-Policy-Report-Only']) {
      const policy = context.res.getHeader(name);
      if (typeof policy === 'string') context.set(name, extendedPolicy(policy, needed));
    }
  }

  return {
    plugin: isPlugin(page) ? page : undefined,
    addFiles(routes: Routes): void {
      if (!altair) return;
      routes.add({
        method: 'GET',
        path: `${files}/*`,
        access: 'open',
        handle: (context) => altair.file(context, String((context['params'] as Record<string, string>)['*'])),
      });
    },
    /** Whether the request was one for the page, and is answered. */
    answers(context: Context): boolean {
      if (page === false || !asksForPage(context)) return false;
      if (!altair) {
        extend(context, pluginSources);
        return false;
      }
      extend(context, altairSources);
      context.type = 'html';
      context.body = altair.page();
      return true;
    },
  };
}

export type LandingPage = ReturnType<typeof createLandingPage>;
