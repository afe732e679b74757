import type { ContentType, Nested, StoreTransaction } from '../../../core';
import type { Connection } from '../database/database';
import type { Dialect } from '../dialects/dialect';
import { tieTableOf } from './tie-table';
import { tieColumnOf, tiesInColumn } from './ties-in-column';
import { tiesInTable } from './ties-in-table';
import type { TypeTable } from './type-table';

/** What ties rows together, wherever the layout keeps it. */
export function tiesOn(
  connection: Connection,
  dialect: Dialect,
  tableOf: (type: ContentType) => TypeTable,
): Pick<StoreTransaction, 'ties' | 'tiesTo' | 'tie' | 'retie' | 'before' | 'place'> {
  function at(type: ContentType, nested: Nested) {
    const place = tableOf(type).place(nested);
    const table = tieTableOf(place);
    if (table) return tiesInTable(connection, dialect, table);
    const column = tieColumnOf(place, tableOf(type).name, dialect);
    if (column) return tiesInColumn(connection, dialect, column);
    throw new Error(`${type.uid}.${nested.name} ties nothing`);
  }

  return {
    ties: (type, nested, owners) => at(type, nested).ties(owners),
    tiesTo: (type, nested, uid, targets) => at(type, nested).tiesTo(uid, targets),
    tie: (type, nested, tyings) => at(type, nested).tie(tyings, tableOf(type)),
    retie: (type, nested, uid, from, to) => at(type, nested).retie(uid, from, to),
    before: (type, nested, owners, target, most) => at(type, nested).before(owners, target, most),
    place: (type, nested, owner, target, after) => at(type, nested).place(owner, target, after, tableOf(type)),
  };
}
