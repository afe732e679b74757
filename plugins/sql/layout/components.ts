import { cascade, idColumn, index, keyColumn, orderColumn, orderedIndex, stringColumn, uniqueIndex } from './columns';
import { affixedName, componentTableName, lookupName, tableName } from './identifiers';
import type { Table } from './layout';
import type { ComponentAttribute, LayoutModel, ZoneAttribute } from './model';
import type { ComponentPlace } from './places';

export function componentPlace(
  owner: LayoutModel,
  field: string,
  attribute: ComponentAttribute | ZoneAttribute,
  modelOf: (uid: string) => LayoutModel,
): ComponentPlace {
  const zone = attribute.storage === 'zone';
  const uids = zone ? attribute.components : [attribute.component];
  return {
    in: 'components',
    table: componentTableName(owner),
    ownColumn: 'entity_id',
    componentColumn: 'cmp_id',
    typeColumn: 'component_type',
    fieldColumn: 'field',
    orderColumn: 'order',
    field,
    zone,
    many: zone || attribute.repeatable,
    components: Object.fromEntries(uids.map((uid) => [uid, tableName(modelOf(uid))])),
  };
}

/** One table holds the components of all attributes of a type. The peer names its indexes after the type, not the table. */
export function componentTable(owner: LayoutModel): Table {
  const stem = owner.collectionName;
  const key = affixedName(stem, 'entity', 'fk');
  return {
    name: componentTableName(owner),
    columns: [
      idColumn,
      keyColumn('entity_id'),
      keyColumn('cmp_id'),
      stringColumn('component_type'),
      stringColumn('field'),
      orderColumn('order'),
    ],
    indexes: [
      index(affixedName(stem, 'field', 'idx'), 'field'),
      index(affixedName(stem, 'component_type', 'idx'), 'component_type'),
      index(key, 'entity_id'),
      uniqueIndex(affixedName(stem, 'uq'), 'entity_id', 'cmp_id', 'field', 'component_type'),
    ],
    lookups: [
      // Where a component stands is asked at every publication; what stands in an attribute, in its order, by every populate.
      index(lookupName(componentTableName(owner), 'cmp_id'), 'cmp_id', 'component_type'),
      orderedIndex(
        lookupName(componentTableName(owner), 'entity_id'),
        'order',
        'entity_id',
        'field',
        'order',
        'id',
        'component_type',
        'cmp_id',
      ),
      // Every start asks which components stand in a zone.
      ...(Object.values(owner.attributes).some(({ storage }) => storage === 'zone')
        ? [index(lookupName(componentTableName(owner), 'field'), 'field', 'component_type')]
        : []),
    ],
    foreignKeys: [cascade(key, 'entity_id', tableName(owner))],
  };
}
