import type { PluginCatalogue } from '../core';

// With these types come the hooks that the plugins own, for whoever names `heddle/plugins` among the types it needs.
export type { EmailHooks } from './email';
export type { GraphqlHooks } from './graphql';
export type { OpenapiHooks } from './openapi';
export type { RestHooks } from './rest';
export type { UploadHooks } from './upload';

const noAdministration = 'the administration panel is not part of Heddle';

/** The plugins of this distribution, loaded only where they are switched on, and those of existing projects by name. */
export const shipped: PluginCatalogue = {
  plugins: {
    sql: { default: true, load: () => require('./sql').default },
    cache: { load: () => require('./cache').default },
    'draft-publish': { default: true, load: () => require('./draft-publish').default },
    i18n: { default: true, load: () => require('./i18n').default },
    email: { default: true, load: () => require('./email').default },
    passwords: { default: true, load: () => require('./passwords').default },
    rest: { default: true, load: () => require('./rest').default },
    graphql: { default: true, load: () => require('./graphql').default },
    openapi: { default: true, load: () => require('./openapi').default },
    upload: { default: true, load: () => require('./upload').default },
    'users-permissions': { default: true, load: () => require('./users-permissions').default },
  },
  inert: {
    'content-manager': noAdministration,
    'content-type-builder': noAdministration,
    'content-releases': noAdministration,
    'review-workflows': noAdministration,
    cloud: 'hosting is not part of Heddle',
    documentation: 'plugin "openapi" describes the API',
    sentry: 'error reporting is not part of Heddle',
  },
};
