import type { OrderTerm, Predicate, ReadPlan } from '../../../../core';
import type { Scope } from '../tables/scope';
import type { TypeTable } from '../tables/type-table';

const isLinked = (table: TypeTable, nested: Parameters<TypeTable['place']>[0]): boolean =>
  nested.storage !== 'variants' && table.place(nested).in === 'link';

/** Whether the index that stands for the table holds all that a condition looks at, and no other index finds its rows. */
export function isHeld(table: TypeTable, predicate: Predicate): boolean {
  switch (predicate.op) {
    case 'never':
      return true;
    case 'and':
    case 'or':
      return predicate.items.every((item) => isHeld(table, item));
    case 'not':
      return isHeld(table, predicate.item);
    case 'some':
      return isLinked(table, predicate.nested);
    case 'relative':
      return false;
  }
  const { attribute } = predicate;
  return table.isNarrow(attribute) && !table.isSought({ attribute, descending: false });
}

/** Whether a condition asks for more than rows of some status and locale. */
export function asksMore(table: TypeTable, predicate: Predicate): boolean {
  if (predicate.op === 'and' || predicate.op === 'or') return predicate.items.some((item) => asksMore(table, item));
  return !('attribute' in predicate) || !table.isVariant(predicate.attribute);
}

const isOrderHeld = (table: TypeTable, { attribute, through = [] }: OrderTerm): boolean => {
  const [first] = through;
  return first ? isLinked(table, first.nested) : attribute.name === 'id' || table.isNarrow(attribute);
};

/** How a list is come by: its rows in some order, or their number. */
export type Wanted = Pick<ReadPlan, 'where'> & { readonly order?: readonly OrderTerm[] };

/**
 * Whether rows are to be gone through, no index having the order or the values that are asked for, or the order being left aside, and
 * all that is asked of them is in the index that stands for the table, which has rows of one status together.
 */
export function isNarrowScan({ sought }: Scope, table: TypeTable, { where, order }: Wanted): boolean {
  if (sought?.way === 'sorted') return true;
  if ((sought && sought.way !== 'each') || !where || !isHeld(table, where)) return false;
  if (!order) return asksMore(table, where);
  return !table.isSought(order[0]!) && order.every((term) => isOrderHeld(table, term));
}
