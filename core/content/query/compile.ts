import type { Operation } from '../operation';
import type { ReadPlan } from '../plan';
import { type Chosen, choicePredicate } from './choices';
import { refusedFields, selectedAttributes } from './fields';
import { filterPredicate, refusedFilters } from './filters';
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
 * Checks a read, all keys before any form and those before the page, and makes its plan. The slots are taken in the order in which `valuesOf` lists the values: filters,
 * search, document, dimensions, window.
 */
export function compileRead(operation: Operation, chosen: readonly Chosen[]): ReadPlan {
  const { type, query, documentId } = operation;
  const slots = new Slots();
  const formless = { filters: refusedFilters(query.filters), fields: refusedFields(query.fields) };
  const filters = formless.filters ? undefined : filterPredicate(type, query.filters, slots);
  const sort = parseSort(type, query.sort);
  const select = formless.fields ? [] : selectedAttributes(type, query.fields);
  checkPopulate(type, query.populate);
  query.refuse?.();
  const refused = sort.refused ?? formless.filters ?? formless.fields;
  if (refused) throw refused;
  const total = query.window?.().total ?? false;
  if (slots.refused) throw slots.refused;

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
