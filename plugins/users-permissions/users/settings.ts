import type { Database } from '../../sql';
import type { Freshness } from '../access/freshness';
import { createKept } from '../access/kept';
import { afterwards, statement } from '../access/statements';
import type { AdvancedSettings } from '../options';

export type Settings = { readonly [Name in keyof AdvancedSettings]-?: Exclude<AdvancedSettings[Name], undefined> };

const defaults: Settings = {
  unique_email: true,
  allow_register: true,
  email_confirmation: false,
  email_reset_password: null,
  email_confirmation_redirection: null,
  default_role: 'authenticated',
};

const given = (settings: object): object =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));

interface Parts {
  readonly database: () => Database;
  readonly freshness: Freshness;
  /** Those of the configuration, which go before those of the database. */
  readonly configured: AdvancedSettings;
}

/** What an administration panel set, as the database keeps it. */
export function createSettings({ database, freshness, configured }: Parts) {
  const read = (key: string): unknown => {
    const db = database();
    const sql = `select value from strapi_core_store_settings where ${db.dialect.id('key')} = ?`;
    return afterwards(db.rows(statement(db, sql), [`plugin_users-permissions_${key}`]), ([row]) =>
      row ? JSON.parse(String(row[0])) : undefined,
    );
  };
  const stored = createKept<string, unknown>(freshness, 10, read);

  return {
    /** One of the objects that the panel keeps, by name. */
    stored: async (key: string): Promise<unknown> => stored(key, freshness.now()),
    async advanced(): Promise<Settings> {
      const kept = (await stored('advanced', freshness.now())) as AdvancedSettings | undefined;
      return { ...defaults, ...given(kept ?? {}), ...given(configured) };
    },
  };
}

export type SettingsReader = ReturnType<typeof createSettings>;
