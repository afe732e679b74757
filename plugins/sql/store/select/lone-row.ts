import type { Predicate, ReadPlan } from '../../../../core';
import type { TypeTable } from '../tables/type-table';
import { demanded } from './demanded';

/** Of one document there is a row without a time, and one with any; of other values, one for each. */
function choosesOne(predicate: Predicate, table: TypeTable): boolean {
  if (predicate.op === 'null') return !predicate.negated || table.storage(predicate.attribute) === 'datetime';
  return predicate.op === 'compare' && predicate.comparison === 'eq';
}

/**
 * Whether a plan finds one row at most: that of a document of which one variant is chosen along each dimension. Only others
 * may have written several of these, into a table without Heddle's index.
 */
export function isLoneRow({ type, where, document, total, after }: ReadPlan, table: TypeTable): boolean {
  if (document === undefined || total || after) return false;
  const chosen = demanded(where).filter((each) => choosesOne(each, table));
  return type.dimensions.every(({ attribute: { name } }) =>
    chosen.some((each) => 'attribute' in each && each.attribute.name === name),
  );
}
