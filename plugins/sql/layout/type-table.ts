import { idColumn, index, scalarColumn, storageColumn, uniqueIndex } from './columns';
import { columnName, documentsIndexName, joinColumnName, tableName, uniqueColumnName } from './identifiers';
import type { Column, ForeignKey, Index, Table } from './layout';
import { joinColumn } from './links';
import type { LayoutModel } from './model';
import { morphColumns } from './morphs';

/** The attributes that every content type has besides its own, in the order of their columns. */
export const standardAttributes = {
  createdAt: 'datetime',
  updatedAt: 'datetime',
  publishedAt: 'datetime',
  createdBy: 'author',
  updatedBy: 'author',
  locale: 'string',
} as const;

export type StandardAttribute = keyof typeof standardAttributes;

export const standardNames = Object.keys(standardAttributes) as readonly StandardAttribute[];

export const isDocument = (model: LayoutModel): boolean => model.modelKind !== 'component';

/** The table of a content type or component: what its attributes keep in the row itself. */
export function typeTable(
  model: LayoutModel,
  authorsTable: string,
  ownIndexes: readonly Index[],
  tableOf: (uid: string) => string,
): Table {
  const name = tableName(model);
  const columns: Column[] = [];
  const indexes: Index[] = [];
  const foreignKeys: ForeignKey[] = [];
  const uniques: Index[] = [];

  const addJoinColumn = (attribute: string, target: string): void => {
    const added = joinColumn(name, joinColumnName(attribute), target);
    columns.push(added.column);
    indexes.push(added.index);
    foreignKeys.push(added.foreignKey);
  };

  for (const [attributeName, attribute] of Object.entries(model.attributes)) {
    if (attribute.storage === 'link') {
      if (attribute.relation === 'morphToOne') columns.push(...morphColumns);
      const owned = attribute.useJoinTable === false && attribute.mappedBy === undefined;
      if (owned && attribute.target !== undefined) addJoinColumn(attributeName, tableOf(attribute.target));
      continue;
    }
    if (attribute.storage === 'component' || attribute.storage === 'zone' || attribute.storage === 'media') continue;
    const column = columnName(attributeName, attribute.columnName);
    columns.push(scalarColumn(column, attribute));
    if (attribute.column?.unique) uniques.push(uniqueIndex(uniqueColumnName(name, column), column));
  }
  if (isDocument(model)) {
    for (const standard of standardNames) {
      if (model.attributes[standard]) continue;
      const storage = standardAttributes[standard];
      if (storage === 'author') addJoinColumn(standard, authorsTable);
      else columns.push(storageColumn(columnName(standard), storage));
    }
  }

  const documents = isDocument(model);
  return {
    name,
    columns: [idColumn, ...(documents ? [storageColumn('document_id', 'string')] : []), ...columns],
    indexes: [
      ...ownIndexes,
      ...(documents ? [index(documentsIndexName(model), 'document_id', 'locale', 'published_at')] : []),
      ...uniques,
      ...indexes,
    ],
    foreignKeys,
  };
}
