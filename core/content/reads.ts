import { validationError } from '../errors';
import { isTapped } from '../kernel/hook-bag';
import type { DocumentHooks, ShownDocument } from './hooks';
import { UnfitValue } from './kinds/kind';
import { Lru } from './lru';
import type { Operation, Window } from './operation';
import type { ReadPlan } from './plan';
import { type Chosen, choicesOf, shapeOfChoices } from './query/choices';
import { compileRead } from './query/compile';
import { shapeOf } from './query/shape';
import type { Bound, DocumentStore, PreparedRead, StoreAnswer, StoreTransaction } from './store';

interface CompiledRead {
  readonly plan: ReadPlan;
  readonly prepared: PreparedRead;
}

/** Plans kept at once; a shape longer than this is compiled each time, so that nobody can fill the memory with it. */
const keptPlans = 2_000;
const longestShape = 4_000;

const firstOnly: Window = { start: 0, limit: 1, total: false };

const textOf = (part: unknown): string => (part === undefined ? '' : JSON.stringify(part));
const shapeOfSearch = (search: unknown): string =>
  search === undefined || search === null || search === '' ? '' : typeof search;

/** Runs what looks at values; a value that doesn't fit is the caller's mistake. */
export function refusingUnfit<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof UnfitValue) throw validationError(error.message);
    throw error;
  }
}

const bind = (plan: ReadPlan, given: readonly unknown[]): Bound[] =>
  refusingUnfit(() => plan.casts.map((cast, slot) => cast(given[slot])));

/** The window, unless something is wrong: then the plan is compiled first, which tells the first of all mistakes. */
function windowOf(operation: Operation, chosen: readonly Chosen[]): Window {
  const { refuse, window } = operation.query;
  try {
    refuse?.();
    return window?.() ?? firstOnly;
  } catch (error) {
    refusingUnfit(() => compileRead(operation, chosen));
    throw error;
  }
}

/** A read's shape, under which its plan is kept, and the values in the order of the plan's slots. */
function describe(
  operation: Operation,
  chosen: readonly Chosen[],
  window: Window,
): { shape: string; values: unknown[] } {
  const { type, action, rights, documentId, query } = operation;
  const filters = shapeOf(query.filters);
  const search = shapeOfSearch(query.search);
  const choices = shapeOfChoices(chosen);
  const document = documentId === undefined ? [] : [documentId];
  return {
    shape: [
      type.uid,
      action,
      rights,
      document.length,
      window.total,
      choices.shape,
      filters.shape,
      search,
      textOf(query.sort),
      textOf(query.fields),
      textOf(query.populate),
    ].join('\u0000'),
    values: [
      ...filters.values,
      ...(search === '' ? [] : [query.search]),
      ...document,
      ...choices.values,
      window.start,
      window.limit,
    ],
  };
}

/** Reads documents: request → shape and values → plan, compiled once per shape → store. */
export function createReads(hooks: DocumentHooks, store: () => DocumentStore) {
  const compiled = new Lru<CompiledRead>(keptPlans);

  function compile(operation: Operation, chosen: readonly Chosen[], shape: string): CompiledRead {
    const plan = hooks.plan.call(
      refusingUnfit(() => compileRead(operation, chosen)),
      operation,
    );
    const read = { plan, prepared: store().prepare(plan) };
    if (shape.length <= longestShape) compiled.set(shape, read);
    return read;
  }

  async function withTaps(answer: StoreAnswer, operation: Operation): Promise<StoreAnswer> {
    const documents = await hooks.result.promise(JSON.parse(answer.json) as ShownDocument[], operation);
    return { ...answer, json: JSON.stringify(documents), count: documents.length };
  }

  return async function read(given: Operation, transaction?: StoreTransaction): Promise<StoreAnswer> {
    const operation = hooks.params.call(given);
    const chosen = choicesOf(operation);
    const window = windowOf(operation, chosen);
    const { shape, values: asked } = describe(operation, chosen, window);
    const { plan, prepared } = compiled.get(shape) ?? compile(operation, chosen, shape);
    const values = bind(plan, asked);
    if (window.refused) throw window.refused;
    const answer =
      (isTapped(hooks.execute) ? await hooks.execute.promise({ operation, plan, values }) : undefined) ??
      (await prepared.run(values, transaction));
    return isTapped(hooks.result) ? withTaps(answer, operation) : answer;
  };
}

export type Read = ReturnType<typeof createReads>;
