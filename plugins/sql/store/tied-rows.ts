import type { ContentType, Nested } from '../../../core';
import type { InverseMorphPlace } from '../layout/places';
import { columnAt, idAt, type RowAt, type Scope } from './scope';

/** The rows behind a nested attribute of one row: what to select from, on which condition, in which order. */
export interface TiedRows {
  readonly row: RowAt;
  readonly from: string;
  readonly where: string;
  readonly order: readonly string[];
  /** What decides between rows that another order finds equal. */
  readonly among: readonly string[];
}

function throughTable(
  scope: Scope,
  table: string,
  owner: RowAt,
  target: RowAt,
  columns: { own: string; target: string; order?: string },
  conditions: readonly string[] = [],
): Omit<Found, 'row'> {
  const { id } = scope.dialect;
  const link = scope.alias();
  const ordered = columns.order ? [`${link}.${id(columns.order)}`] : [];
  return {
    from: `${id(table)} ${link} join ${target.table.name} ${target.alias} on ${idAt(target, scope)}=${link}.${id(columns.target)}`,
    where: [
      `${link}.${id(columns.own)}=${idAt(owner, scope)}`,
      ...conditions.map((condition) => condition.replaceAll('@', `${link}.`)),
    ].join(' and '),
    order: [...ordered, `${link}.${id('id')}`],
  };
}

function throughMorph(scope: Scope, place: InverseMorphPlace, owner: RowAt, target: RowAt): Omit<Found, 'row'> {
  const { id, literal } = scope.dialect;
  const { via } = place;
  if (via.in === 'morphColumns') {
    return {
      from: `${target.table.name} ${target.alias}`,
      where: `${target.alias}.${id(via.idColumn)}=${idAt(owner, scope)} and ${target.alias}.${id(via.typeColumn)}=${literal(place.type)}`,
      order: [idAt(target, scope)],
    };
  }
  const conditions = [
    `@${id(via.typeColumn)}=${literal(place.type)}`,
    `@${id(via.fieldColumn)}=${literal(place.field)}`,
  ];
  return throughTable(
    scope,
    via.table,
    owner,
    target,
    { own: via.idColumn, target: via.ownColumn, order: via.orderColumn },
    conditions,
  );
}

/**
 * The other variants of the same document along one dimension, or all of them, equal in all other dimensions but those
 * that don't matter. A dimension kept as a time tells two variants apart: with and without.
 */
function variants(scope: Scope, nested: Nested, owner: RowAt, target: RowAt): Omit<Found, 'row'> {
  const { type } = owner.table;
  const { along, all } = nested.definition;
  const ignored = (nested.definition['ignoring'] as readonly string[] | undefined) ?? [];
  const conditions = type.dimensions.map(({ attribute: { name } }) => {
    const attribute = type.attributes.get(name)!;
    const [there, here] = [columnAt(target, attribute), columnAt(owner, attribute)];
    const isTime = owner.table.storage(attribute) === 'datetime';
    if (name === along && all) return '';
    if (name === along) return isTime ? `(${there} is null)<>(${here} is null)` : `${there}<>${here}`;
    if (ignored.includes(name)) return '';
    return isTime ? `(${there} is null)=(${here} is null)` : `${there}=${here}`;
  });
  const documentId = scope.dialect.id('document_id');
  const same = `${target.alias}.${documentId}=${owner.alias}.${documentId}`;
  return {
    from: `${target.table.name} ${target.alias}`,
    where: [same, ...conditions.filter(Boolean)].join(' and '),
    order: [columnAt(target, type.attributes.get(String(along))!), idAt(target, scope)],
  };
}

/** What every table of ties has. */
interface TiePlace {
  readonly table: string;
  readonly ownColumn: string;
  readonly orderColumn?: string;
}

type Found = Omit<TiedRows, 'among'>;

/** The rows of one type that are tied to a row through a nested attribute. */
export function tiedRows(scope: Scope, owner: RowAt, nested: Nested, type: ContentType): TiedRows {
  const found = foundRows(scope, owner, nested, type);
  return { ...found, among: nested.storage === 'attached' ? found.order : [idAt(found.row, scope)] };
}

function foundRows(scope: Scope, owner: RowAt, nested: Nested, type: ContentType): Found {
  const row: RowAt = { table: scope.tableOf(type), alias: scope.alias() };
  const { id, literal, unindexed } = scope.dialect;
  if (nested.storage === 'variants') return { row, ...variants(scope, nested, owner, row) };
  const place = owner.table.place(nested);
  const through = (
    { table, ownColumn, orderColumn }: TiePlace,
    target: string,
    conditions?: readonly string[],
  ): Found => ({
    row,
    ...throughTable(scope, table, owner, row, { own: ownColumn, target, order: orderColumn }, conditions),
  });
  switch (place.in) {
    case 'link':
      return through(place, place.targetColumn);
    case 'joinColumn':
      return {
        row,
        from: `${row.table.name} ${row.alias}`,
        where: `${idAt(row, scope)}=${owner.alias}.${id(place.column)}`,
        order: [idAt(row, scope)],
      };
    case 'inverseJoinColumn':
      return {
        row,
        from: `${row.table.name} ${row.alias}`,
        where: `${row.alias}.${id(place.column)}=${idAt(owner, scope)}`,
        order: [idAt(row, scope)],
      };
    case 'components': {
      const conditions = [
        `${unindexed(`@${id(place.fieldColumn)}`)}=${literal(place.field)}`,
        `${unindexed(`@${id(place.typeColumn)}`)}=${literal(type.uid)}`,
      ];
      return through(place, place.componentColumn, conditions);
    }
    case 'media': {
      const conditions = [
        `@${id(place.typeColumn)}=${literal(place.type)}`,
        `@${id(place.fieldColumn)}=${literal(place.field)}`,
      ];
      return through(place, place.targetColumn, conditions);
    }
    case 'morphTable':
      return through(place, place.idColumn, [`@${id(place.typeColumn)}=${literal(type.uid)}`]);
    case 'morphColumns':
      return {
        row,
        from: `${row.table.name} ${row.alias}`,
        where: `${idAt(row, scope)}=${owner.alias}.${id(place.idColumn)} and ${owner.alias}.${id(place.typeColumn)}=${literal(type.uid)}`,
        order: [idAt(row, scope)],
      };
    case 'inverseMorph':
      return { row, ...throughMorph(scope, place, owner, row) };
    case 'column':
      throw new Error(`${owner.table.type.uid}.${nested.name} is kept in a column, not by ties`);
  }
}
