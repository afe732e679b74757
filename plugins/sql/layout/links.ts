import { cascade, idColumn, index, keyColumn, orderColumn, orderedIndex, setNull, uniqueIndex } from './columns';
import {
  affixedName,
  alongName,
  inverseLinkColumnName,
  inverseOrderColumnName,
  joinColumnKeyName,
  joinColumnName,
  linkColumnName,
  linkTableName,
  lookupName,
  orderColumnName,
  tableName,
} from './identifiers';
import type { Column, ForeignKey, Index, Table } from './layout';
import type { LayoutModel, LinkAttribute, LinkRelation } from './model';
import type { InverseJoinColumnPlace, JoinColumnPlace, LinkPlace } from './places';

/** An attribute that owns a link: the side that is not `mappedBy` the other. */
export interface OwnedLink {
  readonly owner: LayoutModel;
  readonly name: string;
  readonly attribute: LinkAttribute;
  readonly target: LayoutModel;
}

const relationSeenFromTarget: Readonly<Record<LinkRelation, LinkRelation>> = {
  oneToOne: 'oneToOne',
  oneToMany: 'manyToOne',
  manyToOne: 'oneToMany',
  manyToMany: 'manyToMany',
};

export const toMany = (relation: string): boolean => relation.endsWith('Many');
const fromMany = (relation: string): boolean => relation.startsWith('many');

export const heldByColumn = ({ attribute }: OwnedLink): boolean => attribute.useJoinTable === false;

export function linkPlace(link: OwnedLink): LinkPlace {
  const { owner, attribute, target } = link;
  const relation = attribute.relation as LinkRelation;
  const twoSided = attribute.inversedBy !== undefined;
  const ownColumn = linkColumnName(owner.singularName);
  const targetColumn = linkColumnName(target.singularName);
  const ownOrder = orderColumnName(owner.singularName);
  const targetOrder = orderColumnName(target.singularName);
  const ordered = toMany(relation);
  return {
    in: 'link',
    table: linkTableName(tableName(owner), link.name),
    ownColumn,
    targetColumn: targetColumn === ownColumn ? inverseLinkColumnName(target.singularName) : targetColumn,
    ...(ordered && { orderColumn: targetOrder }),
    ...(twoSided &&
      fromMany(relation) && {
        inverseOrderColumn: ordered && ownOrder === targetOrder ? inverseOrderColumnName(owner.singularName) : ownOrder,
      }),
    target: target.uid,
    targetTable: tableName(target),
    relation,
    many: ordered,
    inverse: false,
    twoSided,
  };
}

/** The same link seen from the `mappedBy` side. */
export function inverseLinkPlace(link: OwnedLink): LinkPlace {
  const { orderColumn: order, inverseOrderColumn: inverseOrder, ...place } = linkPlace(link);
  const relation = relationSeenFromTarget[place.relation];
  return {
    ...place,
    ownColumn: place.targetColumn,
    targetColumn: place.ownColumn,
    ...(inverseOrder !== undefined && { orderColumn: inverseOrder }),
    ...(order !== undefined && { inverseOrderColumn: order }),
    target: link.owner.uid,
    targetTable: tableName(link.owner),
    relation,
    many: toMany(relation),
    inverse: true,
    twoSided: true,
  };
}

/** The lists of one side of a link, whole and in their order, so that the first of them are found without the others. */
function listIndex(table: string, own: string, target: string, order: string | undefined): Index {
  const name = lookupName(table, own);
  return order === undefined ? index(name, own, 'id', target) : orderedIndex(name, order, own, order, 'id', target);
}

export function linkTable(link: OwnedLink): Table {
  const { table, ownColumn, targetColumn, orderColumn: order, inverseOrderColumn: inverseOrder } = linkPlace(link);
  const key = affixedName(table, 'fk');
  const inverseKey = affixedName(table, 'ifk');
  return {
    name: table,
    columns: [
      idColumn,
      keyColumn(ownColumn),
      keyColumn(targetColumn),
      ...(order === undefined ? [] : [orderColumn(order)]),
      ...(inverseOrder === undefined ? [] : [orderColumn(inverseOrder)]),
    ],
    indexes: [
      index(key, ownColumn),
      index(inverseKey, targetColumn),
      uniqueIndex(affixedName(table, 'uq'), ownColumn, targetColumn),
      ...(order === undefined ? [] : [index(affixedName(table, 'ofk'), order)]),
      ...(inverseOrder === undefined ? [] : [index(affixedName(table, 'oifk'), inverseOrder)]),
    ],
    lookups: [
      index(alongName(table), targetColumn, ownColumn),
      listIndex(table, ownColumn, targetColumn, order),
      ...(link.attribute.inversedBy === undefined ? [] : [listIndex(table, targetColumn, ownColumn, inverseOrder)]),
    ],
    foreignKeys: [
      cascade(key, ownColumn, tableName(link.owner)),
      cascade(inverseKey, targetColumn, tableName(link.target)),
    ],
  };
}

export const joinColumnPlace = ({ name, attribute, target }: OwnedLink): JoinColumnPlace => ({
  in: 'joinColumn',
  column: joinColumnName(name),
  target: target.uid,
  targetTable: tableName(target),
  ...(attribute.inversedBy !== undefined && !fromMany(attribute.relation) && { exclusive: true }),
});

export const inverseJoinColumnPlace = ({ owner, name, attribute }: OwnedLink): InverseJoinColumnPlace => ({
  in: 'inverseJoinColumn',
  column: joinColumnName(name),
  target: owner.uid,
  targetTable: tableName(owner),
  many: fromMany(attribute.relation),
});

/** What a link without a table adds to the table of its owner. */
export function joinColumn(
  table: string,
  column: string,
  target: string,
): { column: Column; index: Index; foreignKey: ForeignKey } {
  const name = joinColumnKeyName(table, column);
  return { column: keyColumn(column), index: index(name, column), foreignKey: setNull(name, column, target) };
}
