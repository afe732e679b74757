import {
  CONTENT,
  type ContentRegistry,
  type ContentType,
  definePlugin,
  newlyServed,
  refuseIfAny,
  STORE,
  type TypeDefinition,
  token,
} from '../../core';
import { type Links, linksOf } from './changes/links';
import { databaseFor, databaseKeys } from './config';
import type { Database } from './database/database';
import type { Layout } from './layout/layout';
import { layoutOf } from './layout/tables';
import { findLeftoverDrafts, noticesOf, refusalsOf } from './leftover-drafts';
import { modelsOf, structuralKinds } from './models';
import { pinUnserved, storedDefaultLocale } from './pinned';
import { unknownIndexes } from './sort-indexes';
import { createSqlStore } from './store/sql-store';
import { findStrays, type Strays } from './store/strays';
import { createTypeTables, type TypeTable } from './store/tables/type-table';
import { heddleTables } from './sync/heddle-tables';
import { allTriggers, ownTriggers } from './sync/rendered-rows';
import { syncTables, upToDate } from './sync/sync';

/** The application's database, for plugins that keep more than documents. */
export const DATABASE = token<Database>('sql.database');

/** What every document's table holds besides the attributes of its type. */
function withTableColumns(definition: TypeDefinition): TypeDefinition {
  if (definition.modelKind === 'component') return definition;
  return {
    ...definition,
    systemAttributes: { publishedAt: { type: 'datetime', stamp: 'write' }, ...definition.systemAttributes },
    concealed: [...(definition.concealed ?? []), 'createdBy', 'updatedBy', 'locale', 'localizations'],
    ignoredInBodies: [...(definition.ignoredInBodies ?? []), 'publishedAt', 'locale'],
  };
}

const inert = {
  settings: 'tables are only added to, never migrated',
};

function typeTablesOn({ dialect, standing }: Database, layout: Layout): (type: ContentType) => TypeTable {
  return createTypeTables(layout, dialect, standing?.(allTriggers(dialect.name, layout)));
}

export default definePlugin({
  name: 'sql',
  apply({ hooks, declare, app, config, service, log }) {
    let layout: Layout | undefined;
    let pinned: readonly string[] = [];
    let defaultLocale = 'en';
    let strays: Strays = new Map();
    let links: Links | undefined;
    const linked = (): Links => {
      links ??= linksOf(layout!);
      return links;
    };
    let tables: ((type: ContentType) => TypeTable) | undefined;

    declare.declare('database', databaseKeys);
    declare.inert('database', inert);

    hooks.lifecycle.provide.tap('sql', (services) => {
      const dependents = (table: string) => linked().dependents(table);
      services.add(DATABASE, () => databaseFor(config().database, app.dataDir, dependents));
      services.add(STORE, (all) =>
        createSqlStore(
          all.get(DATABASE),
          (type) => {
            tables ??= typeTablesOn(all.get(DATABASE), layout!);
            return tables(type);
          },
          (nested) => strays.get(nested) ?? [],
          (name) => linked().isTable(name),
        ),
      );
    });

    // Last, for what no other plugin serves: its tables are kept all the same.
    hooks.content.kinds.tap({ name: 'sql', stage: 100 }, (kinds) => {
      for (const name of structuralKinds)
        if (!kinds.has(name))
          kinds.add(name, { name, dormant: `no plugin that is switched on serves the kind "${name}"` });
    });

    hooks.content.dimensions.tap({ name: 'sql', stage: 100 }, (dimensions) => {
      pinned = pinUnserved(dimensions, () => defaultLocale);
    });

    hooks.content.type.tap('sql', withTableColumns);

    hooks.content.schemaReady.tap('sql', (registry: ContentRegistry) => {
      const { database } = config();
      refuseIfAny(unknownIndexes(database.indexes, registry));
      layout = layoutOf(modelsOf(registry, database));
    });

    hooks.lifecycle.boot.tapPromise('sql', async () => {
      const database = service(DATABASE);
      await database.open();
      const { name } = database.dialect;
      // Where nothing is to be added, nothing that adds is loaded.
      const present = await upToDate(database.rows, name, layout!);
      const { changes, madeBy } = present ?? (await syncTables(database.knex(), name, layout!));
      await database.ready(ownTriggers(name, layout!));
      // What is made meanwhile has no versions, and no locales that are chosen.
      for (const attribute of pinned) await (await newlyServed(service(STORE), attribute, [])).remember();
      if (pinned.includes('locale')) defaultLocale = (await storedDefaultLocale(database)) ?? defaultLocale;
      const leftover = await findLeftoverDrafts(database, service(CONTENT), layout!);
      refuseIfAny(refusalsOf(leftover));
      for (const notice of noticesOf(leftover)) log.warn({}, notice);
      strays = await findStrays(database, service(CONTENT), layout!);
      if (changes.length > 0) log.info({ changes: changes.length, madeBy }, 'tables were added to');
    });

    hooks.lifecycle.warm.tap('sql', () => {
      const { upkeep, dialect } = service(DATABASE);
      if (!upkeep || !config().database.upkeep) return;
      const tables = [...layout!.tables, ...heddleTables(dialect.name)];
      upkeep.begin(
        tables.map(({ name }) => name),
        log,
      );
    });

    hooks.http.readiness.tapPromise('sql', () => service(DATABASE).trouble());

    hooks.lifecycle.close.tapPromise('sql', () => service(DATABASE).close());
  },
});

export type { Database } from './database/database';
export { withRetries, withToldFailures } from './database/failures';
export { sqliteDriver } from './database/sqlite-driver';
export { grantedBy, grants as seededGrants, roles as seededRoles } from './layout/seeds';
export { isoOf } from './moments';
export { type PendingChanges, pendingChanges } from './pending-changes';
export { sortedByIndex } from './sort-indexes';
