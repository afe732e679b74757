/**
 * What the tables need to know of a content type or component. The registry is mapped onto this, so that the layout is a
 * pure function of plain data and knows neither attribute kinds nor schema files.
 */
export interface LayoutModel {
  readonly uid: string;
  readonly modelKind: 'collectionType' | 'singleType' | 'component';
  readonly collectionName: string;
  /** Names the columns that point here from link tables; for a component the part of its uid after the dot. */
  readonly singularName: string;
  readonly attributes: Readonly<Record<string, LayoutAttribute>>;
  /** Attributes that tell rows of one document apart, besides status and locale. */
  readonly variants?: readonly string[];
  /** Attributes that lists are ordered or found by, besides those that are unique. */
  readonly sortedBy?: readonly string[];
  /** What answers show of a row besides its id, in their order; absent where no text of that is to be kept. */
  readonly shown?: readonly string[];
}

export type ScalarStorage =
  | 'string'
  | 'text'
  | 'json'
  | 'date'
  | 'time'
  | 'datetime'
  | 'timestamp'
  | 'integer'
  | 'biginteger'
  | 'float'
  | 'decimal'
  | 'boolean';

export type LayoutAttribute = ScalarAttribute | LinkAttribute | ComponentAttribute | ZoneAttribute | MediaAttribute;

export interface ScalarAttribute {
  readonly storage: ScalarStorage;
  /** Its values are meant to be unique, so documents are looked up and sorted by it. */
  readonly unique?: boolean;
  /** Lists may be filtered and sorted by it, and its values are short. */
  readonly listed?: boolean;
  readonly columnName?: string;
  readonly column?: ColumnOptions;
}

/** The `column` object of a schema file: it speaks of the column itself, where `required` or `unique` do not. */
export interface ColumnOptions {
  readonly unique?: boolean;
  readonly type?: string;
  readonly args?: readonly ColumnArgument[];
  readonly defaultTo?: string | number | boolean | null;
  readonly notNullable?: boolean;
  readonly unsigned?: boolean;
}

export type ColumnArgument = string | number | boolean | Readonly<Record<string, string | number | boolean>>;

export type LinkRelation = 'oneToOne' | 'oneToMany' | 'manyToOne' | 'manyToMany';

export interface LinkAttribute {
  readonly storage: 'link';
  readonly relation: string;
  readonly target?: string;
  readonly inversedBy?: string;
  readonly mappedBy?: string;
  readonly useJoinTable?: boolean;
  readonly morphBy?: string;
}

export interface ComponentAttribute {
  readonly storage: 'component';
  readonly component: string;
  readonly repeatable: boolean;
}

export interface ZoneAttribute {
  readonly storage: 'zone';
  readonly components: readonly string[];
}

export interface MediaAttribute {
  readonly storage: 'media';
  readonly multiple: boolean;
}
