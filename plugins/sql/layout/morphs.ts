import { cascade, idColumn, index, keyColumn, orderColumn, orderedIndex, stringColumn } from './columns';
import {
  affixedName,
  linkColumnName,
  lookupName,
  morphIdName,
  morphTableName,
  morphTypeName,
  tableName,
} from './identifiers';
import type { Column, Table } from './layout';
import type { LayoutModel } from './model';
import type { InverseMorphPlace, MediaPlace, MorphColumnsPlace, MorphTablePlace } from './places';

export const morphColumnsPlace: MorphColumnsPlace = {
  in: 'morphColumns',
  idColumn: 'target_id',
  typeColumn: 'target_type',
};

export const morphColumns: readonly Column[] = [
  keyColumn(morphColumnsPlace.idColumn),
  stringColumn(morphColumnsPlace.typeColumn),
];

export const morphTablePlace = (owner: LayoutModel, attribute: string): MorphTablePlace => ({
  in: 'morphTable',
  table: morphTableName(tableName(owner), attribute),
  ownColumn: linkColumnName(owner.singularName),
  idColumn: morphIdName(attribute),
  typeColumn: morphTypeName(attribute),
  fieldColumn: 'field',
  orderColumn: 'order',
});

export function morphTable(owner: LayoutModel, attribute: string): Table {
  const place = morphTablePlace(owner, attribute);
  const key = affixedName(place.table, 'fk');
  return {
    name: place.table,
    columns: [
      idColumn,
      keyColumn(place.ownColumn),
      keyColumn(place.idColumn),
      stringColumn(place.typeColumn),
      stringColumn(place.fieldColumn),
      orderColumn(place.orderColumn),
    ],
    indexes: [
      index(key, place.ownColumn),
      index(affixedName(place.table, 'oidx'), place.orderColumn),
      index(affixedName(place.table, 'idix'), place.idColumn),
    ],
    // What is attached to a row by one of its attributes, in its order.
    lookups: [
      orderedIndex(
        lookupName(place.table, place.idColumn),
        place.orderColumn,
        place.idColumn,
        place.typeColumn,
        place.fieldColumn,
        place.orderColumn,
        'id',
        place.ownColumn,
      ),
    ],
    foreignKeys: [cascade(key, place.ownColumn, tableName(owner))],
  };
}

/** The place of `morphOne` and `morphMany` on `type`, answered by `morphBy` of the target. */
export function inverseMorphPlace(
  type: string,
  field: string,
  target: LayoutModel,
  morphBy: string,
  many: boolean,
): InverseMorphPlace {
  const answer = target.attributes[morphBy];
  const byColumns = answer?.storage === 'link' && answer.relation === 'morphToOne';
  return {
    in: 'inverseMorph',
    via: byColumns ? morphColumnsPlace : morphTablePlace(target, morphBy),
    type,
    field,
    target: target.uid,
    targetTable: tableName(target),
    many,
  };
}

export function mediaPlace(type: string, field: string, files: LayoutModel, many: boolean): MediaPlace {
  const related = morphTablePlace(files, 'related');
  return {
    in: 'media',
    table: related.table,
    ownColumn: related.idColumn,
    targetColumn: related.ownColumn,
    typeColumn: related.typeColumn,
    fieldColumn: 'field',
    orderColumn: 'order',
    type,
    field,
    target: files.uid,
    targetTable: tableName(files),
    many,
  };
}
