import type { ContentRegistry, ContentType } from '../content-type';
import type { Nested } from '../nested';
import type { DocumentQuery, Operation } from '../operation';
import type { Entry, ReadPlan } from '../plan';
import type { Mark } from '../store';
import { type Chosen, choicePredicate } from './choices';
import { invalidCursor } from './cursor';
import { fieldsRefusal, selectedAttributes } from './fields';
import { createFilters, filtersRefusal } from './filters';
import { compileGroups } from './groups';
import { createPopulate } from './populate';
import { all, isDeep, type Predicate } from './predicate';
import { createEntries, type Reader } from './reader';
import { searchPredicate } from './search';
import { type ShapedPopulate, shapeOf, shapeOfPopulate } from './shape';
import { createShown, shapeOfShown } from './shown';
import { asIs, Slots } from './slots';
import { parseSort, totalOrder, withSortedFirst } from './sort';

/** What compilation needs besides the operation. */
export interface CompileContext {
  readonly registry: ContentRegistry;
  /** Whether the operation's caller may read documents of this type. */
  sees(uid: string): boolean;
  /** What stands in a nested attribute besides the types that it lists. */
  strays(nested: Nested): readonly ContentType[];
}

const isDocument = (type: ContentType, slot: number | undefined): Predicate | undefined =>
  slot === undefined
    ? undefined
    : { op: 'compare', attribute: type.attributes.get('documentId')!, comparison: 'eq', slot };

function readerOf(
  operation: Operation,
  chosen: readonly Chosen[],
  { registry, sees, strays }: CompileContext,
  populate: ShapedPopulate,
  offset: number,
): Reader {
  return {
    operation,
    chosen,
    slots: new Slots(),
    typeOf: (uid) => registry.types.get(uid),
    documents: registry.documents,
    sees,
    strays,
    placeOf: (filters) => offset + (populate.places.get(filters) ?? 0),
    enter: createEntries(),
  };
}

/** What a query shows key by key, where it does; takes the slots of the values in it. */
function shownEntries(reader: Reader, offset: number): Entry[] | undefined {
  const { type, query } = reader.operation;
  if (!query.shown) return undefined;
  const shaped = shapeOfShown(query.shown);
  const entries = createShown(reader, query.shown, shaped, offset)(type);
  reader.slots.skip(shaped.values.length);
  return entries;
}

/**
 * Checks a read, all keys before any form and those before the page, and makes its plan. The slots are taken in the order in which `describeRead` lists the values: filters,
 * filters inside populate, what is shown key by key, groups, search, document, dimensions, marks of a cursor, window.
 */
export function compileRead(
  operation: Operation,
  chosen: readonly Chosen[],
  context: CompileContext,
  marks?: readonly Mark[],
): ReadPlan {
  const { type, query, documentId } = operation;
  const populated = shapeOfPopulate(query.populate);
  const offset = shapeOf(query.filters).values.length;
  const reader = readerOf(operation, chosen, context, populated, offset);
  const { slots } = reader;

  const formless = { filters: filtersRefusal(query.filters), fields: fieldsRefusal(query.fields) };
  const filters = formless.filters ? undefined : createFilters(reader, 'filters')(type, query.filters);
  const sort = parseSort(reader, type, query.sort);
  const named = formless.fields ? [] : selectedAttributes(type, query.fields);
  const select = filters && isDeep(filters) ? withSortedFirst(sort.terms, named) : named;
  const populate = createPopulate(reader)(type, query.populate);
  slots.skip(populated.values.length);
  const entries = shownEntries(reader, offset + populated.values.length);
  const groups = query.groups && compileGroups(reader, type, query.groups);
  query.refuse?.();
  const refused = sort.refused ?? formless.filters ?? formless.fields ?? populate.refused;
  if (refused) throw refused;
  const total = query.window?.().total ?? false;
  if (slots.refused) throw slots.refused;

  const search = searchPredicate(type, query.search, slots);
  const document = documentId === undefined ? undefined : slots.next(asIs);
  const dimensions = chosen.map((choice) => choicePredicate(choice, slots));
  const conditions = [isDocument(type, document), ...dimensions, filters, search].filter(
    (predicate) => predicate !== undefined,
  );
  const order = totalOrder(type, sort.terms);
  if (marks && marks.length > 0 && marks.length !== order.length) throw invalidCursor();
  return {
    type,
    select: entries ? [] : select,
    populate: populate.populated,
    ...(entries && { entries }),
    ...(groups && { groups }),
    where: conditions.length > 0 ? all(conditions) : undefined,
    ...(document !== undefined && { document }),
    order,
    ...(marks && { after: marks.map((mark) => (mark === null ? null : slots.next(asIs))) }),
    start: slots.next(asIs),
    limit: slots.next(asIs),
    total,
    bindings: slots.bindings,
  };
}

/** Refuses wrong keys of a write's query, which are told before anything that is wrong with its body. */
export function checkKeys(operation: Operation, context: CompileContext): void {
  const { type, query }: { type: ContentType; query: DocumentQuery } = operation;
  const reader = readerOf(operation, [], context, shapeOfPopulate(query.populate), 0);
  if (typeof query.filters === 'object') createFilters(reader, 'filters')(type, query.filters);
  parseSort(reader, type, query.sort);
  selectedAttributes(type, query.fields);
  createPopulate(reader)(type, query.populate);
  shownEntries(reader, 0);
  query.refuse?.();
  if (reader.slots.refused) throw reader.slots.refused;
}
