import type { ContentType, Nested } from '../../../../core';
import type { InverseMorphPlace } from '../../layout/places';
import { ascending, byId, type OrderValue } from '../tables/order-value';
import { columnAt, idAt, type RowAt, type Scope } from '../tables/scope';
import { type TiePlace, type TiesOfRow, tiesOfRow } from '../tables/ties-of-row';

/** Ties, and the column that says which row one leads to. */
export interface Through extends TiesOfRow {
  readonly target: string;
}

/** The rows behind a nested attribute of one row: what to select from, on which condition, in which order. */
export interface TiedRows {
  readonly row: RowAt;
  readonly from: string;
  readonly where: string;
  /** The same for a subquery that is run for one row after the other, as those of a page. */
  readonly whereOne: string;
  readonly order: readonly OrderValue[];
  /** What decides between rows that another order finds equal. */
  readonly among: readonly OrderValue[];
  /** The ties that lead to them, where a table has these. */
  readonly through?: Through;
  /** What to select the same rows from so that they come in their order, with no need to be sorted; where a database can. */
  readonly inOrder?: string;
}

function throughTable(scope: Scope, owner: RowAt, row: RowAt, place: ThroughPlace): Found {
  const ties = tiesOfRow(scope, owner, { ...place, leads: [place.targetColumn] });
  const target = `${row.table.name} ${row.alias} on ${idAt(row, scope)}=${ties.at(place.targetColumn)}`;
  return {
    row,
    from: `${ties.from} join ${target}`,
    where: ties.where,
    whereOne: ties.whereOne,
    order: ties.order,
    through: { ...ties, target: ties.at(place.targetColumn) },
    ...(ties.inOrder && { inOrder: `${ties.inOrder} cross join ${target}` }),
  };
}

function throughMorph(scope: Scope, place: InverseMorphPlace, owner: RowAt, target: RowAt): Found {
  const { id, literal } = scope.dialect;
  const { via } = place;
  if (via.in === 'morphColumns') {
    return {
      row: target,
      from: `${target.table.name} ${target.alias}`,
      where: `${target.alias}.${id(via.idColumn)}=${idAt(owner, scope)} and ${target.alias}.${id(via.typeColumn)}=${literal(place.type)}`,
      order: [byId(idAt(target, scope))],
    };
  }
  return throughTable(scope, owner, target, {
    table: via.table,
    ownColumn: via.idColumn,
    targetColumn: via.ownColumn,
    orderColumn: via.orderColumn,
    fixed: [
      [via.typeColumn, place.type],
      [via.fieldColumn, place.field],
    ],
  });
}

/**
 * The other variants of the same document along one dimension, or all of them, equal in all other dimensions but those
 * that don't matter. A dimension kept as a time tells two variants apart: with and without.
 */
function variants(scope: Scope, nested: Nested, owner: RowAt, target: RowAt): Found {
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
  const dimension = type.attributes.get(String(along))!;
  const documentId = scope.dialect.id('document_id');
  const same = `${target.alias}.${documentId}=${owner.alias}.${documentId}`;
  return {
    row: target,
    from: `${target.table.name} ${target.alias}`,
    where: [same, ...conditions.filter(Boolean)].join(' and '),
    order: [ascending(columnAt(target, dimension), target.table.storage(dimension)), byId(idAt(target, scope))],
  };
}

interface ThroughPlace extends Omit<TiePlace, 'leads'> {
  readonly targetColumn: string;
}

type Found = Omit<TiedRows, 'among' | 'whereOne'> & Partial<Pick<TiedRows, 'whereOne'>>;

/** The rows of one type that are tied to a row through a nested attribute. */
export function tiedRows(scope: Scope, owner: RowAt, nested: Nested, type: ContentType): TiedRows {
  const found = foundRows(scope, owner, nested, type);
  return {
    whereOne: found.where,
    ...found,
    among: nested.storage === 'attached' ? found.order : [byId(idAt(found.row, scope))],
  };
}

function foundRows(scope: Scope, owner: RowAt, nested: Nested, type: ContentType): Found {
  const row: RowAt = { table: scope.tableOf(type), alias: scope.alias() };
  const { id, literal } = scope.dialect;
  if (nested.storage === 'variants') return variants(scope, nested, owner, row);
  const place = owner.table.place(nested);
  switch (place.in) {
    case 'link':
      return throughTable(scope, owner, row, place);
    case 'joinColumn':
      return {
        row,
        from: `${row.table.name} ${row.alias}`,
        where: `${idAt(row, scope)}=${owner.alias}.${id(place.column)}`,
        order: [byId(idAt(row, scope))],
      };
    case 'inverseJoinColumn':
      return {
        row,
        from: `${row.table.name} ${row.alias}`,
        where: `${row.alias}.${id(place.column)}=${idAt(owner, scope)}`,
        order: [byId(idAt(row, scope))],
      };
    case 'components': {
      const { componentColumn: targetColumn, fieldColumn, typeColumn, field } = place;
      const fixed = [
        [fieldColumn, field],
        [typeColumn, type.uid],
      ] as const;
      return throughTable(scope, owner, row, { ...place, targetColumn, fixed, isIndexedByFixed: true });
    }
    case 'media': {
      const fixed = [
        [place.typeColumn, place.type],
        [place.fieldColumn, place.field],
      ] as const;
      return throughTable(scope, owner, row, { ...place, fixed });
    }
    case 'morphTable': {
      const fixed = [[place.typeColumn, type.uid]] as const;
      return throughTable(scope, owner, row, { ...place, targetColumn: place.idColumn, fixed });
    }
    case 'morphColumns':
      return {
        row,
        from: `${row.table.name} ${row.alias}`,
        where: `${idAt(row, scope)}=${owner.alias}.${id(place.idColumn)} and ${owner.alias}.${id(place.typeColumn)}=${literal(type.uid)}`,
        order: [byId(idAt(row, scope))],
      };
    case 'inverseMorph':
      return throughMorph(scope, place, owner, row);
    case 'column':
      throw new Error(`${owner.table.type.uid}.${nested.name} is kept in a column, not by ties`);
  }
}
