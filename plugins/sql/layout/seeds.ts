/** The rows of a database in which nothing has been done yet, as data. Dates and document ids are made when written. */

/** Internal migrations of the peer up to 5.54: it runs those that it does not find here, on the rows it finds. */
export const doneMigrations = [
  '5.0.0-rename-identifiers-longer-than-max-length',
  '5.0.0-02-created-document-id',
  '5.0.0-03-created-locale',
  '5.0.0-04-created-published-at',
  '5.0.0-05-drop-slug-fields-index',
  '5.0.0-06-add-document-id-indexes',
  'core::5.0.0-discard-drafts',
  'admin::migrate-prefered-language-dk-to-da',
] as const;

export const settings = [
  { key: 'strapi_unidirectional-join-table-repair-ran', value: 'true', type: 'boolean' },
  { key: 'plugin_i18n_default_locale', value: '"en"', type: 'string' },
] as const;

export const locales = [{ name: 'English (en)', code: 'en' }] as const;

/** In the order of their ids. */
export const roles = [
  { type: 'authenticated', name: 'Authenticated', description: 'Default role given to authenticated user.' },
  { type: 'public', name: 'Public', description: 'Default role given to unauthenticated user.' },
] as const;

export type RoleType = (typeof roles)[number]['type'];

/** What each role may do before anyone has granted anything. */
export const grants: Readonly<Record<RoleType, readonly string[]>> = {
  authenticated: ['auth.logout', 'auth.getSessions', 'auth.revokeSession', 'user.me', 'auth.changePassword'],
  public: [
    'auth.callback',
    'auth.connect',
    'auth.forgotPassword',
    'auth.resetPassword',
    'auth.register',
    'auth.emailConfirmation',
    'auth.sendEmailConfirmation',
    'auth.refresh',
  ],
};

export const grantedBy = 'plugin::users-permissions';
