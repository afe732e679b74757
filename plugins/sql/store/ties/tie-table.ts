import type { Place } from '../../layout/places';

/** A table whose rows are ties, as seen from the rows that one type has. */
export interface TieTable {
  readonly table: string;
  readonly own: string;
  readonly target: string;
  /** Orders what one of the own rows is tied to. */
  readonly order?: string;
  /** Orders the own rows in the list of what they are tied to. */
  readonly back?: string;
  /** Holds the target's type, where there are several. */
  readonly uidColumn?: string;
  /** The target's type, where there is one. */
  readonly uid?: string;
  /** Holds the name of the attribute that shows a tie from the target's side. */
  readonly shownBy?: string;
  /** What tells this attribute's ties from others in the table. */
  readonly fixed: readonly (readonly [column: string, value: string])[];
  /** Whether indexes of the table begin with one of those columns, or the type's. */
  readonly isIndexedByFixed: boolean;
  /** The fixed column that is empty in ties which this attribute may take over. */
  readonly adopts?: string;
  /** Whether a target can have one owner only. */
  readonly exclusive: boolean;
  /** The columns of a tie, in the order in which it is added. */
  readonly columns: readonly string[];
  /** The same for all whose ties one statement can add. */
  readonly addedAs: string;
  /** The same for all that see the same ties from the same side. */
  readonly seenAs: string;
}

type Optional = 'fixed' | 'exclusive' | 'isIndexedByFixed';
type Described = Omit<TieTable, 'columns' | 'addedAs' | 'seenAs' | Optional> & Partial<Pick<TieTable, Optional>>;

/** With all properties, there or not, in one order: V8 then finds them without looking. */
function tieTable({ table, own, target, order, back, uidColumn, uid, shownBy, adopts, ...rest }: Described): TieTable {
  const { fixed = [], exclusive = false, isIndexedByFixed = false } = rest;
  const columns = [own, target, order, back, uidColumn, shownBy, ...fixed.map(([column]) => column)].filter(
    (column) => column !== undefined,
  );
  return {
    table,
    own,
    target,
    order,
    back,
    uidColumn,
    uid,
    shownBy,
    fixed,
    isIndexedByFixed,
    adopts,
    exclusive,
    columns,
    addedAs: `${table} ${columns}`,
    seenAs: `${table} ${own} ${fixed.map(([, value]) => value)}`,
  };
}

/** The table that holds the ties of a place; undefined where a column holds them. */
export function tieTableOf(place: Place): TieTable | undefined {
  switch (place.in) {
    case 'link':
      return tieTable({
        table: place.table,
        own: place.ownColumn,
        target: place.targetColumn,
        order: place.orderColumn,
        back: place.inverseOrderColumn,
        uid: place.target,
        exclusive: place.twoSided && place.relation.startsWith('one'),
      });
    case 'components':
      return tieTable({
        table: place.table,
        own: place.ownColumn,
        target: place.componentColumn,
        order: place.orderColumn,
        uidColumn: place.typeColumn,
        fixed: [[place.fieldColumn, place.field]],
        isIndexedByFixed: true,
      });
    case 'media':
      return tieTable({
        table: place.table,
        own: place.ownColumn,
        target: place.targetColumn,
        order: place.orderColumn,
        uid: place.target,
        fixed: [
          [place.typeColumn, place.type],
          [place.fieldColumn, place.field],
        ],
      });
    case 'morphTable':
      return tieTable({
        table: place.table,
        own: place.ownColumn,
        target: place.idColumn,
        order: place.orderColumn,
        uidColumn: place.typeColumn,
        shownBy: place.fieldColumn,
      });
    case 'inverseMorph': {
      const { via } = place;
      if (via.in === 'morphColumns') return undefined;
      return tieTable({
        table: via.table,
        own: via.idColumn,
        target: via.ownColumn,
        order: via.orderColumn,
        uid: place.target,
        fixed: [
          [via.typeColumn, place.type],
          [via.fieldColumn, place.field],
        ],
        adopts: via.fieldColumn,
      });
    }
    default:
      return undefined;
  }
}
