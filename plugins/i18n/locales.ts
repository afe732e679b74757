import { randomBytes } from 'node:crypto';
import { flatMapped } from '../../core';
import { type Database, isoOf } from '../sql';

export interface Locale {
  readonly code: string;
  readonly name: string;
}

/** A locale as the interface lists it. */
export interface ListedLocale extends Locale {
  readonly id: number;
  readonly documentId: string;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly publishedAt: string | null;
  readonly isDefault: boolean;
}

const table = 'i18n_locale';
const settings = 'strapi_core_store_settings';
const defaultKey = 'plugin_i18n_default_locale';

let displayNames: Intl.DisplayNames | undefined;

function displayNameOf(code: string): string {
  // Reading what the names are takes more of a start than all of this plugin.
  displayNames ??= new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' });
  try {
    return displayNames.of(code) ?? code;
  } catch {
    return code;
  }
}

/** `French (fr)`, as the locales of existing projects are named. */
export const nameOf = (code: string): string => `${displayNameOf(code)} (${code})`;

/** A document's identifier for a row that no document service makes. */
const newIdentifier = (): string => `l${randomBytes(12).toString('hex').slice(0, 23)}`;

/** The locales that the database holds, and which of them is the default. */
export function createLocales(database: () => Database) {
  let codes = new Set<string>();
  let byDefault = 'en';

  let asked = 0;
  let told = 0;

  /** What was asked for later is newer, whichever comes first. */
  async function reload(): Promise<void> {
    asked += 1;
    const turn = asked;
    const { rows, dialect } = database();
    // One row even where there is no locale.
    const sql = `select l.code, s.value from (select 1 one) o left join ${table} l on 1 = 1
      left join ${settings} s on s.${dialect.id('key')} = ${dialect.placeholder(1)}`;
    const found = await rows({ sql }, [defaultKey]);
    if (turn < told) return;
    told = turn;
    const setting = found[0]?.[1];
    codes = new Set(flatMapped(found, ([code]) => (code === null ? [] : [String(code)])));
    byDefault = setting === null || setting === undefined ? 'en' : String(JSON.parse(String(setting)));
  }

  /** Of several processes that add the same one at once, as when they start, one does. */
  async function add({ code, name }: Locale): Promise<void> {
    const now = database().dialect.store(new Date().toISOString(), 'datetime');
    const times = { created_at: now, updated_at: now, published_at: now };
    await database()
      .knex()
      .transaction(async (on) => {
        // Changes nothing, but makes the others wait.
        await on(settings).where({ key: defaultKey }).update({ key: defaultKey });
        const known = await on(table).where({ code }).first('id');
        if (!known) await on(table).insert({ document_id: newIdentifier(), code, name, ...times });
      });
    await reload();
  }

  async function makeDefault(code: string): Promise<void> {
    const knex = database().knex();
    const value = JSON.stringify(code);
    const changed = await knex(settings).where({ key: defaultKey }).update({ value });
    if (changed === 0) await knex(settings).insert({ key: defaultKey, value, type: 'string' });
    await reload();
  }

  async function list(): Promise<ListedLocale[]> {
    await reload();
    const rows = (await database().knex()(table).select('*').orderBy('id')) as Record<string, unknown>[];
    return rows.map((row) => ({
      id: Number(row['id']),
      documentId: String(row['document_id']),
      name: String(row['name']),
      code: String(row['code']),
      createdAt: isoOf(row['created_at']),
      updatedAt: isoOf(row['updated_at']),
      publishedAt: isoOf(row['published_at']),
      isDefault: row['code'] === byDefault,
    }));
  }

  return {
    reload,
    add,
    makeDefault,
    list,
    remove: async (code: string) => {
      await database().knex()(table).where({ code }).delete();
      await reload();
    },
    byDefault: () => byDefault,
    codes: () => [...codes],
    /** Another process may have added or removed a locale since it was last looked. */
    async isKnown(code: string): Promise<boolean> {
      const { rows, dialect } = database();
      const found = await rows({ sql: `select 1 from ${table} where code = ${dialect.placeholder(1)}` }, [code]);
      // Some collations take more for equal than the same code.
      if (found.length > 0 !== codes.has(code)) await reload();
      return codes.has(code);
    },
  };
}

export type Locales = ReturnType<typeof createLocales>;
