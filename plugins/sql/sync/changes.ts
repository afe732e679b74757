import type { Column, ForeignKey, Index, Rendered, Table } from '../layout/layout';

/** One thing that the database lacks. Nothing but indexes and triggers of Heddle's own is ever altered or dropped. */
export type Change =
  | CreateTable
  | AddColumn
  | AddIndex
  | ReplaceIndex
  | AddRowIndex
  | WidenRowIndex
  | RenderRows
  | ForgetRendered;

interface Described {
  readonly table: string;
  /** For people: `add column "summary" (text) to table "articles"`. */
  readonly description: string;
}

export interface CreateTable extends Described {
  readonly kind: 'createTable';
  readonly definition: Table;
  /** The columns of its table of texts, where that outlived it. */
  readonly texts?: ReadonlySet<string>;
}

export interface AddColumn extends Described {
  readonly kind: 'addColumn';
  readonly column: Column;
  readonly foreignKey?: ForeignKey;
}

export interface AddIndex extends Described {
  readonly kind: 'addIndex';
  readonly index: Index;
}

/** An index of Heddle's own that an earlier version made otherwise. */
export interface ReplaceIndex extends Described {
  readonly kind: 'replaceIndex';
  readonly index: Index;
}

/** Of a table of documents: one row per document, locale and status, and whatever else tells its rows apart. */
export interface AddRowIndex extends Described {
  readonly kind: 'addRowIndex';
  readonly variants: readonly string[];
}

/** The same where it is there already, without what tells rows apart from now on. */
export interface WidenRowIndex extends Described {
  readonly kind: 'widenRowIndex';
  readonly variants: readonly string[];
}

/** The texts of a table's rows are made, and kept from now on. */
export interface RenderRows extends Described {
  readonly kind: 'renderRows';
  readonly rendered: Rendered;
  /** The columns that the table of texts has; absent where it is not there. */
  readonly there?: ReadonlySet<string>;
}

/** They are kept no longer. */
export interface ForgetRendered extends Described {
  readonly kind: 'forgetRendered';
  readonly triggers: readonly string[];
  readonly texts: readonly string[];
}

export const createTable = (definition: Table, texts?: ReadonlySet<string>): CreateTable => ({
  kind: 'createTable',
  table: definition.name,
  definition,
  texts,
  description: `create table "${definition.name}" with ${definition.columns.length} columns`,
});

export const addColumn = (table: string, column: Column, foreignKey: ForeignKey | undefined): AddColumn => ({
  kind: 'addColumn',
  table,
  column,
  foreignKey,
  description:
    `add column "${column.name}" (${column.type}) to table "${table}"` +
    (foreignKey ? `, pointing to "${foreignKey.table}"` : ''),
});

export const addIndex = (table: string, index: Index): AddIndex => ({
  kind: 'addIndex',
  table,
  index,
  description:
    `add ${index.unique ? 'unique index' : 'index'} "${index.name}" on ` +
    `"${table}" (${index.columns.map((column) => `"${column}"`).join(', ')})`,
});

export const replaceIndex = (table: string, index: Index): ReplaceIndex => ({
  kind: 'replaceIndex',
  table,
  index,
  description: `make Heddle's index "${index.name}" on "${table}" anew`,
});

const rowsOf = (variants: readonly string[]): string =>
  ['one row per document', 'locale', ...variants.map((column) => `"${column}"`)].join(', ');

export const addRowIndex = (table: string, variants: readonly string[] = []): AddRowIndex => ({
  kind: 'addRowIndex',
  table,
  variants,
  description: `add a unique index on "${table}": ${rowsOf(variants)} and status`,
});

export const widenRowIndex = (table: string, variants: readonly string[]): WidenRowIndex => ({
  kind: 'widenRowIndex',
  table,
  variants,
  description: `widen Heddle's unique index on "${table}": ${rowsOf(variants)} and status`,
});

export const renderRows = (table: string, rendered: Rendered, there?: ReadonlySet<string>): RenderRows => ({
  kind: 'renderRows',
  table,
  rendered,
  there,
  description: `keep the text of each row of "${table}" in "${rendered.table}"`,
});

export const forgetRendered = (
  table: string,
  triggers: readonly string[],
  texts: readonly string[],
): ForgetRendered => ({
  kind: 'forgetRendered',
  table,
  triggers,
  texts,
  description: `keep texts of the rows of "${table}" no longer`,
});
