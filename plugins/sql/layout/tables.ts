import { createHash } from 'node:crypto';

import { authorUid, linkOf, type ModelOf, placesOf } from './attribute-places';
import { componentTable } from './components';
import { columnName, tableName } from './identifiers';
import type { Layout, Table, TypeLayout } from './layout';
import { heldByColumn, linkTable } from './links';
import { lookupsOf, systemLookups } from './lookups';
import type { LayoutModel } from './model';
import { morphTable } from './morphs';
import { renderedOf } from './rendered';
import { systemModels } from './system-models';
import { systemIndexes, systemTables } from './system-tables';
import { isDocument, typeTable } from './type-table';

/**
 * The tables of the given models and of everything else that the peer keeps in a database. A model replaces the
 * system's of the same uid, as an extension of the user type does.
 */
export function layoutOf(models: readonly LayoutModel[]): Layout {
  const byUid = new Map([...systemModels, ...models].map((model) => [model.uid, model]));
  const modelOf: ModelOf = (uid) => {
    const model = byUid.get(uid);
    if (model) return model;
    throw new Error(`There is no content type or component "${uid}", which an attribute refers to.`);
  };
  const all = [...byUid.values()];
  const given = new Set(models);
  const types = Object.fromEntries(all.map((model) => [model.uid, typeLayout(model, modelOf)]));
  const tables = [
    ...systemTables,
    ...all.flatMap((model) => ownTables(model, types[model.uid]!, modelOf, given.has(model))),
    ...all.flatMap((model) => linkTables(model, modelOf)),
  ];
  refuseClashes(tables);
  return {
    tables,
    types,
    hash: createHash('sha256').update(JSON.stringify(tables)).digest('hex'),
  };
}

function typeLayout(model: LayoutModel, modelOf: ModelOf): TypeLayout {
  return {
    uid: model.uid,
    modelKind: model.modelKind,
    table: tableName(model),
    places: placesOf(model, modelOf),
  };
}

function ownTables(model: LayoutModel, { places }: TypeLayout, modelOf: ModelOf, given: boolean): Table[] {
  const columns = typeTable(model, tableName(modelOf(authorUid)), systemIndexes[model.uid] ?? [], (uid) =>
    tableName(modelOf(uid)),
  );
  const isGiven = given && isDocument(model);
  const own = isGiven ? lookupsOf(model, columns.name) : [];
  const more = systemLookups(columns.name).filter(({ name }) => own.every((each) => each.name !== name));
  const lookups = [...own, ...more];
  const rendered = renderedOf(model, columns.name, places);
  const table = {
    ...columns,
    ...(isGiven && { documents: true }),
    ...(isGiven && model.variants && { variants: model.variants.map((name) => columnName(name)) }),
    ...(lookups.length > 0 && { lookups }),
    ...(rendered && { rendered }),
  };
  const hasComponents = Object.values(model.attributes).some(
    ({ storage }) => storage === 'component' || storage === 'zone',
  );
  return hasComponents ? [table, componentTable(model)] : [table];
}

function linkTables(model: LayoutModel, modelOf: ModelOf): Table[] {
  return Object.entries(model.attributes).flatMap(([name, attribute]) => {
    if (attribute.storage !== 'link' || attribute.mappedBy !== undefined) return [];
    if (attribute.relation === 'morphToMany') return [morphTable(model, name)];
    if (attribute.relation.startsWith('morph')) return [];
    const link = linkOf(model, name, attribute, modelOf);
    return heldByColumn(link) ? [] : [linkTable(link)];
  });
}

function refuseClashes(tables: readonly Table[]): void {
  const seen = new Set<string>();
  const take = (name: string): void => {
    // SQLite, and MariaDB on some systems, take two names for one that differ in case only.
    const folded = name.toLowerCase();
    if (seen.has(folded)) {
      throw new Error(`Two content types, components or links want the table "${name}". Change a "collectionName".`);
    }
    seen.add(folded);
  };
  for (const { name, columns, rendered } of tables) {
    take(name);
    if (rendered) take(rendered.table);
    const twice = columns.find((column, i) => columns.findIndex((other) => other.name === column.name) < i);
    if (twice) throw new Error(`Two attributes want the column "${twice.name}" of the table "${name}". Rename one.`);
  }
}
