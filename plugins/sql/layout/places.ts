import type { LinkRelation, ScalarStorage } from './model';

/** Where an attribute is stored, as seen from the rows of the type that has it. */
export type Place =
  | ColumnPlace
  | JoinColumnPlace
  | InverseJoinColumnPlace
  | LinkPlace
  | ComponentPlace
  | MediaPlace
  | MorphColumnsPlace
  | MorphTablePlace
  | InverseMorphPlace;

/** A scalar, in a column of the type's own table. */
export interface ColumnPlace {
  readonly in: 'column';
  readonly column: string;
  readonly storage: ScalarStorage;
}

/** A to-one link held by a column of the type's own table (`useJoinTable: false`, and `createdBy`, `updatedBy`). */
export interface JoinColumnPlace {
  readonly in: 'joinColumn';
  readonly column: string;
  readonly target: string;
  readonly targetTable: string;
  /** Whether the other side shows one row: then that is taken from another owner. */
  readonly exclusive?: boolean;
}

/** The other side of a `JoinColumnPlace`: rows of the target's table whose `column` holds this row's id. */
export interface InverseJoinColumnPlace {
  readonly in: 'inverseJoinColumn';
  readonly column: string;
  readonly target: string;
  readonly targetTable: string;
  readonly many: boolean;
}

/**
 * A link in a table of its own. The columns are named as seen from this side: a `mappedBy` side has the owner's table
 * with the columns and orders swapped.
 */
export interface LinkPlace {
  readonly in: 'link';
  readonly table: string;
  /** Holds the id of this type's row. */
  readonly ownColumn: string;
  /** Holds the id of the linked row. */
  readonly targetColumn: string;
  /** Orders the linked rows of one of this type's rows; absent where there is at most one. */
  readonly orderColumn?: string;
  /** Orders this type's rows at one linked row, for the other side to read; absent where that has no order. */
  readonly inverseOrderColumn?: string;
  readonly target: string;
  readonly targetTable: string;
  readonly relation: LinkRelation;
  readonly many: boolean;
  /** True on the `mappedBy` side. */
  readonly inverse: boolean;
  /** True if the other side has an attribute too: then one of its rows may be taken from another owner. */
  readonly twoSided: boolean;
}

/** A component (`zone: false`) or dynamic zone, by rows of the `_cmps` table whose `field` is the attribute's name. */
export interface ComponentPlace {
  readonly in: 'components';
  readonly table: string;
  readonly ownColumn: 'entity_id';
  readonly componentColumn: 'cmp_id';
  readonly typeColumn: 'component_type';
  readonly fieldColumn: 'field';
  readonly orderColumn: 'order';
  readonly field: string;
  readonly zone: boolean;
  readonly many: boolean;
  /** The tables of the components that may stand here, by uid, which is what `component_type` holds. */
  readonly components: Readonly<Record<string, string>>;
}

/** Files, by rows of `files_related_mph` whose type is this type's uid and whose `field` is the attribute's name. */
export interface MediaPlace {
  readonly in: 'media';
  readonly table: string;
  /** Holds the id of this type's row. */
  readonly ownColumn: string;
  readonly targetColumn: string;
  readonly typeColumn: string;
  readonly fieldColumn: 'field';
  readonly orderColumn: 'order';
  readonly type: string;
  readonly field: string;
  readonly target: string;
  readonly targetTable: string;
  readonly many: boolean;
}

/** `morphToOne`: two columns of the type's own table, so named whatever the attribute is called. */
export interface MorphColumnsPlace {
  readonly in: 'morphColumns';
  readonly idColumn: 'target_id';
  readonly typeColumn: 'target_type';
}

/** `morphToMany`: links to rows of any type, in a table of their own. */
export interface MorphTablePlace {
  readonly in: 'morphTable';
  readonly table: string;
  readonly ownColumn: string;
  readonly idColumn: string;
  readonly typeColumn: string;
  /** Holds the name of the attribute on the other side, if that has one. */
  readonly fieldColumn: 'field';
  readonly orderColumn: 'order';
}

/** `morphOne`, `morphMany`: the other side of one of the two above (`via`), with this type's uid in its type column. */
export interface InverseMorphPlace {
  readonly in: 'inverseMorph';
  readonly via: MorphColumnsPlace | MorphTablePlace;
  readonly type: string;
  readonly field: string;
  readonly target: string;
  readonly targetTable: string;
  readonly many: boolean;
}
