import type { Operation } from '../operation';
import type { ReadPlan } from '../plan';
import { type Chosen, choicePredicate } from './choices';
import { selectedAttributes } from './fields';
import { filterPredicate } from './filters';
import { checkPopulate } from './populate';
import { all, type Predicate } from './predicate';
import { searchPredicate } from './search';
import { asIs, Slots } from './slots';
import { type OrderTerm, parseSort } from './sort';

/** The order with the row's id behind it, unless it is there already. */
function totalOrder(operation: Operation, terms: readonly OrderTerm[]): OrderTerm[] {
  const id = operation.type.attributes.get('id')!;
  return terms.some(({ attribute }) => attribute === id)
    ? [...terms]
    : [...terms, { attribute: id, descending: false }];
}

/**
 * Checks a read and makes its plan. The slots are taken in the order in which `valuesOf` lists the values: filters,
 * search, document, dimensions, window.
 */
export function compileRead(operation: Operation, chosen: readonly Chosen[]): ReadPlan {
  const { type, query, documentId } = operation;
  const slots = new Slots();
  const filters = filterPredicate(type, query.filters, slots);
  const sort = parseSort(type, query.sort);
  const select = selectedAttributes(type, query.fields);
  checkPopulate(type, query.populate);
  const total = query.window?.().total ?? false;
  if (sort.refused) throw sort.refused;

  const search = searchPredicate(type, query.search, slots);
  const document: Predicate | undefined =
    documentId === undefined
      ? undefined
      : { op: 'compare', attribute: type.attributes.get('documentId')!, comparison: 'eq', slot: slots.next(asIs) };
  const dimensions = chosen.map((choice) => choicePredicate(choice, slots));
  const conditions = [document, ...dimensions, filters, search].filter((predicate) => predicate !== undefined);
  return {
    type,
    select,
    where: conditions.length > 0 ? all(conditions) : undefined,
    order: totalOrder(operation, sort.terms),
    start: slots.next(asIs),
    limit: slots.next(asIs),
    total,
    casts: slots.casts,
  };
}
