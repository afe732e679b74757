import type { Choice, Dimension, Registry, TypeDefinition } from '../../core';
import type { Database } from './database/database';

/**
 * The tables tell versions and locales apart whether or not a plugin serves them. Where none does, a type that has them
 * is pinned: to what is published, in the default locale. Rows of other versions and locales are neither seen nor
 * touched.
 */
const nowhere = '';

const published: Choice = { present: true };

const pinnedVersion: Dimension = {
  name: 'pinned version',
  parameter: nowhere,
  attribute: { name: 'publishedAt', definition: { type: 'datetime', stamp: 'insert' } },
  appliesTo: ({ options }: TypeDefinition) => options['draftAndPublish'] === true,
  choose: () => published,
  show: () => published,
  tie: () => published,
};

const pinnedLocale = (byDefault: () => string): Dimension => ({
  name: 'pinned locale',
  parameter: nowhere,
  attribute: { name: 'locale', definition: { type: 'string', private: true } },
  appliesTo: ({ pluginOptions }: TypeDefinition) =>
    (pluginOptions['i18n'] as { localized?: boolean } | undefined)?.localized === true,
  choose: () => ({ is: byDefault() }),
  show: () => ({ is: byDefault() }),
  tie: () => ({ is: byDefault() }),
});

/** Pins what no other plugin serves; answers the attributes. */
export function pinUnserved(dimensions: Registry<Dimension>, byDefault: () => string): string[] {
  const served = new Set([...dimensions.entries()].map(([, { attribute }]) => attribute.name));
  const unserved = [pinnedVersion, pinnedLocale(byDefault)].filter(({ attribute }) => !served.has(attribute.name));
  for (const pinned of unserved) dimensions.add(pinned.name, pinned);
  return unserved.map(({ attribute }) => attribute.name);
}

/** The default locale that the database was given; undefined for none. */
export async function storedDefaultLocale({ rows, dialect }: Database): Promise<string | undefined> {
  const sql = `select value from strapi_core_store_settings where ${dialect.id('key')}=${dialect.placeholder(1)}`;
  const [found] = await rows({ sql }, ['plugin_i18n_default_locale']);
  const stored: unknown = found && JSON.parse(String(found[0]));
  return typeof stored === 'string' ? stored : undefined;
}
