import type { LayoutModel } from './model';
import { fixed, joinName, snakeCase } from './names';

// Which text each name is made of is the peer's choice, oddities included: some names start from the table's name as
// shortened, others from the collection's name in full, and that shows once a name is long enough to be cut.

const id = fixed('id');

export const tableName = (model: LayoutModel): string => joinName(model.collectionName);

export const columnName = (attribute: string, given?: string): string => joinName(given ?? snakeCase(attribute));

export const joinColumnName = (attribute: string): string => joinName(snakeCase(attribute), id);

export const uniqueColumnName = (table: string, column: string): string => joinName(table, column, fixed('uq'));

export const joinColumnKeyName = (table: string, column: string): string => joinName(table, column, fixed('fk'));

/** Not the peer's: an index of Heddle's own. */
export const lookupName = (table: string, column: string): string => joinName(fixed('h'), table, column, fixed('idx'));

/** Heddle's own, too: the index of links that has the rows of one side in their order, for each row of the other. */
export const alongName = (table: string): string => joinName(fixed('h'), table, fixed('along'));

/** And the index that stands for a table where its rows are gone through. */
export const narrowName = (table: string): string => joinName(fixed('h'), table, fixed('narrow'));

/** Where the texts of a table's rows are kept. */
export const renderedName = (table: string): string => joinName(fixed('h'), table, fixed('rendered'));

export type WriteEvent = 'insert' | 'update' | 'delete' | 'own';

/** What keeps those texts at writes of one kind. */
export const renderedTriggerName = (texts: string, event: WriteEvent): string => `${texts}_${event.charAt(0)}`;

/** The table of texts that a trigger keeps; undefined of what is not Heddle's. */
export const renderedBy = (trigger: string): string | undefined => /^(h_.*_rendered)_[iudo]$/.exec(trigger)?.[1];

export const documentsIndexName = (model: LayoutModel): string =>
  joinName(model.collectionName, fixed('documents'), fixed('idx'));

export const linkTableName = (table: string, attribute: string): string =>
  joinName(snakeCase(table), snakeCase(attribute), fixed('lnk'));

export const morphTableName = (table: string, attribute: string): string =>
  joinName(snakeCase(table), snakeCase(attribute), fixed('mph'));

export const componentTableName = (model: LayoutModel): string => joinName(model.collectionName, fixed('cmps'));

export const linkColumnName = (singularName: string): string => joinName(snakeCase(singularName), id);

export const inverseLinkColumnName = (singularName: string): string =>
  joinName(fixed('inv'), snakeCase(singularName), id);

export const orderColumnName = (singularName: string): string => joinName(snakeCase(singularName), fixed('ord'));

export const inverseOrderColumnName = (singularName: string): string =>
  joinName(fixed('inv'), snakeCase(singularName), fixed('ord'));

export const morphIdName = (attribute: string): string => joinName(snakeCase(attribute), id);

export const morphTypeName = (attribute: string): string => joinName(snakeCase(attribute), fixed('type'));

/** `fk`, `ifk`, `ofk`, … of a link, morph or component table. */
export const affixedName = (stem: string, ...affixes: readonly string[]): string =>
  joinName(stem, ...affixes.map(fixed));
