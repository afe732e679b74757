import type { ColumnArgument, ScalarStorage } from './model';
import type { Place } from './places';

/** Everything the database must hold for a set of content types, as plain data. */
export interface Layout {
  /** In the order of creation; foreign keys may point forward. */
  readonly tables: readonly Table[];
  readonly types: Readonly<Record<string, TypeLayout>>;
  /** Changes whenever a table or column does. */
  readonly hash: string;
}

/** Where one content type or component is stored. */
export interface TypeLayout {
  readonly uid: string;
  readonly modelKind: 'collectionType' | 'singleType' | 'component';
  readonly table: string;
  /** By attribute name, the standard ones (`id`, `documentId`, `createdAt`, …) included. */
  readonly places: Readonly<Record<string, Place>>;
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly indexes: readonly Index[];
  readonly foreignKeys: readonly ForeignKey[];
  /** Holds documents that Heddle writes: one row per document, locale and status, which its own databases enforce. */
  readonly documents?: boolean;
  /** Columns that tell rows of one document apart, besides status and locale. */
  readonly variants?: readonly string[];
  /** What reads want beside the indexes of the peer: Heddle adds them to its own databases and to adopted ones. */
  readonly lookups?: readonly Index[];
  readonly rendered?: Rendered;
}

/** The text of each row in answers, which the database itself keeps beside the table, whoever writes. */
export interface Rendered {
  readonly table: string;
  /** Tells these texts from those of another definition, which another process may want of the same table. */
  readonly hash: string;
  /** In the order of the text. */
  readonly columns: readonly RenderedColumn[];
}

export interface RenderedColumn {
  readonly key: string;
  readonly column: string;
  readonly storage: ScalarStorage;
}

export type ColumnType =
  | 'increments'
  | 'string'
  | 'text'
  | 'json'
  | 'jsonb'
  | 'date'
  | 'time'
  | 'datetime'
  | 'timestamp'
  | 'integer'
  | 'bigInteger'
  | 'double'
  | 'decimal'
  | 'boolean';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly args?: readonly ColumnArgument[];
  readonly notNull?: boolean;
  readonly unsigned?: boolean;
  readonly default?: string | number | boolean;
}

export interface Index {
  readonly name: string;
  readonly columns: readonly string[];
  readonly unique?: boolean;
  /** One of its columns, by which it serves an order: rows without a value come first. */
  readonly orderedBy?: string;
  /** Stands for the table where rows are gone through. */
  readonly narrow?: boolean;
}

/** Always to the `id` of the other table. */
export interface ForeignKey {
  readonly name: string;
  readonly column: string;
  readonly table: string;
  readonly onDelete: 'CASCADE' | 'SET NULL';
}
