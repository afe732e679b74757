import { HeddleError, validationError } from '../errors';
import { flatMapped } from '../flat-mapped';
import { isTapped } from '../kernel/hook-bag';
import { currentTiming } from '../timing';
import { asJson, valuesIn } from './answer-bytes';
import type { ContentRegistry, ContentType } from './content-type';
import { parameterOf } from './dimension';
import type { DocumentHooks, ShownDocument } from './hooks';
import { createJoinedReads, type Grouped } from './joined-reads';
import { UnfitValue } from './kinds/kind';
import { Lru } from './lru';
import type { Nested } from './nested';
import type { Operation, Window } from './operation';
import type { ReadPlan } from './plan';
import { type Chosen, choicesOf, shapeOfChoices } from './query/choices';
import { type CompileContext, checkKeys, compileRead } from './query/compile';
import { cursorOf, invalidCursor, marksIn } from './query/cursor';
import { refuseExcess } from './query/excess';
import { shapeOfGroups } from './query/groups';
import { shapeOf, shapeOfPopulate } from './query/shape';
import { type Shown, shapeOfShown } from './query/shown';
import { questionOf } from './question';
import type { Sight } from './sight';
import type { Bound, DocumentStore, Mark, PreparedRead, StoreAnswer, StoreTransaction } from './store';

interface CompiledRead {
  readonly plan: ReadPlan;
  readonly prepared: PreparedRead;
  /** A number of its own; absent where it is not kept. */
  readonly number?: number;
}

/**
 * Plans kept at once, and characters in all their shapes and statements; a shape longer than this is compiled each time, so that
 * nobody can fill the memory with it.
 */
const keptPlans = 2_000;
const keptTexts = 20_000_000;
const longestShape = 4_000;

const firstOnly: Window = { start: 0, limit: 1, total: false };

const spelt = (part: unknown): string => (part === undefined ? '' : JSON.stringify(part));
const shapeOfSearch = (search: unknown): string =>
  search === undefined || search === null || search === '' ? '' : typeof search;

/** Runs what looks at values; a value that doesn't fit is the caller's mistake. */
function refusingUnfit<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof UnfitValue) throw validationError(error.message);
    throw error;
  }
}

const bind = (plan: ReadPlan, given: readonly unknown[]): Bound[] =>
  refusingUnfit(() => plan.bindings.map(({ source, cast }) => cast(given[source])));

/** Shows what nothing stands for in a shape. */
const isNameless = (shown: Shown | undefined): boolean => shown !== undefined && shown.shape === undefined;

/** An answer, with what its next part is asked for with. */
export interface ReadAnswer extends StoreAnswer {
  /** Absent where there is no next part, or the list was not asked for by cursor. */
  readonly next?: string;
}

/** A place in a list, and which list that is. */
interface Place {
  readonly list: string;
  readonly marks: readonly Mark[];
  /** Told only when nothing else is wrong. */
  readonly refused?: HeddleError;
}

/** The place that a cursor in the window means. */
function placeOf({ type, query }: Operation, chosen: readonly Chosen[], { cursor }: Window): Place | undefined {
  if (cursor === undefined) return undefined;
  const choices = shapeOfChoices(chosen);
  const filters = shapeOf(query.filters);
  const values = [...choices.values, ...filters.values, query.search ?? ''].map(String);
  const aspects = query.aspects ? [JSON.stringify(query.aspects)] : [];
  const parts = [type.uid, spelt(query.sort), choices.shape, filters.shape, JSON.stringify(values), ...aspects];
  const list = parts.join('\u0000');
  try {
    return { list, marks: marksIn(cursor, list) };
  } catch (error) {
    if (error instanceof HeddleError) return { list, marks: [], refused: error };
    throw error;
  }
}

/** A read's shape, under which its plan is kept, and the values in the order of the plan's slots. */
function describeRead(
  operation: Operation,
  chosen: readonly Chosen[],
  window: Window,
  parameters: readonly string[],
  marks: readonly Mark[] | undefined,
): { shape: string | undefined; values: unknown[] } {
  const { type, action, rights, may, documentId, query } = operation;
  const filters = shapeOf(query.filters);
  const populate = shapeOfPopulate(query.populate);
  const shown = shapeOfShown(query.shown);
  const groups = shapeOfGroups(query.groups);
  const search = shapeOfSearch(query.search);
  const choices = shapeOfChoices(chosen);
  const document = documentId === undefined ? [] : [documentId];
  return {
    shape: isNameless(query.shown)
      ? undefined
      : [
          type.uid,
          action,
          rights,
          may === undefined,
          document.length,
          window.total,
          choices.shape,
          filters.shape,
          search,
          spelt(query.sort),
          spelt(query.fields),
          populate.shape,
          shown.shape,
          groups.shape,
          // What linked documents show depends on the dimensions' parameters as they were given.
          ...parameters.map((name) => spelt(query.parameters?.[name])),
          query.aspects ? JSON.stringify(query.aspects) : '',
          marks?.map((mark) => (mark === null ? '0' : '1')).join('') ?? '-',
        ].join('\u0000'),
    values: [
      ...filters.values,
      ...populate.values,
      ...shown.values,
      ...groups.values,
      ...(search === '' ? [] : [query.search]),
      ...document,
      ...choices.values,
      ...(marks ?? []).filter((mark) => mark !== null),
      window.start,
      window.limit,
    ],
  };
}

/** Reads of the same plan that differ in nothing but the document are read together, where the store can do that. */
function groupedBy({ plan, prepared, number }: CompiledRead, values: readonly Bound[]): Grouped | undefined {
  const { document, start, limit } = plan;
  if (document === undefined || number === undefined || !prepared.together) return undefined;
  if (values[start] !== firstOnly.start || values[limit] !== firstOnly.limit) return undefined;
  const group = questionOf(number, values.toSpliced(document, 1));
  if (group === undefined) return undefined;
  const { gathers, run } = prepared.together;
  return { group, value: values[document]!, gathers, run: (documents) => run(values, documents) };
}

/** Reads documents: request → shape and values → plan, compiled once per shape → store. */
export function createReads(
  hooks: DocumentHooks,
  registry: () => ContentRegistry,
  store: () => DocumentStore,
  seesIn: Sight,
) {
  const compiled = new Lru<CompiledRead>(keptPlans, keptTexts);
  const joined = createJoinedReads();
  let numbered = 0;
  let known: readonly string[] | undefined;
  /** The parameters of all dimensions, of whatever types. */
  const parameters = (): readonly string[] => {
    known ??= [...new Set(flatMapped(registry().documents, ({ dimensions }) => dimensions.map(parameterOf)))];
    return known;
  };

  async function contextOf(operation: Operation): Promise<CompileContext> {
    const strays = (nested: Nested): readonly ContentType[] => store().strays?.(nested) ?? [];
    return { registry: registry(), sees: await seesIn(operation), strays };
  }

  /** The window, unless something is wrong: then the plan is compiled first, which tells the first of all mistakes. */
  async function windowOf(operation: Operation, chosen: readonly Chosen[]): Promise<Window> {
    const { refuse, window } = operation.query;
    try {
      refuse?.();
      return window?.() ?? firstOnly;
    } catch (error) {
      const context = await contextOf(operation);
      refusingUnfit(() => compileRead(operation, chosen, context));
      throw error;
    }
  }

  async function compile(
    operation: Operation,
    chosen: readonly Chosen[],
    shape: string | undefined,
    marks: readonly Mark[] | undefined,
  ): Promise<CompiledRead> {
    const context = await contextOf(operation);
    // Others may have asked the same meanwhile.
    const made = shape === undefined ? undefined : compiled.get(shape);
    if (made) return made;
    const plan = hooks.plan.call(
      refusingUnfit(() => compileRead(operation, chosen, context, marks)),
      operation,
    );
    const prepared = store().prepare(plan);
    if (shape === undefined || shape.length > longestShape) return { plan, prepared };
    numbered += 1;
    const read = { plan, prepared, number: numbered };
    compiled.set(shape, read, prepared.size);
    return read;
  }

  /** Documents of groups stand last in their lists; what is told of groups is no document. */
  async function withTapsInGroups(answer: ReadAnswer, operation: Operation): Promise<ReadAnswer> {
    if (!operation.query.groups?.part) return answer;
    const lists = valuesIn<unknown[]>(answer);
    const documents = lists.map((list) => list.at(-1) as ShownDocument);
    const tapped = await hooks.result.promise(documents, operation);
    if (tapped.length !== lists.length)
      throw new Error('a tap of document.result may change the documents of groups, not leave them out');
    const changed = lists.map((list, index) => [...list.slice(0, -1), tapped[index]]);
    return { ...answer, json: asJson(changed) };
  }

  async function withTaps(answer: ReadAnswer, operation: Operation): Promise<ReadAnswer> {
    if (operation.query.groups) return withTapsInGroups(answer, operation);
    const documents = await hooks.result.promise(valuesIn(answer), operation);
    return { ...answer, json: asJson(documents), count: documents.length };
  }

  /** Runs a read from a place on: what the store can't have told is no place. */
  async function runFrom({ prepared }: CompiledRead, values: readonly Bound[], transaction?: StoreTransaction) {
    try {
      return await prepared.run(values, transaction);
    } catch (error) {
      if (error instanceof UnfitValue) throw invalidCursor();
      throw error;
    }
  }

  async function read(given: Operation, transaction?: StoreTransaction, isLast = false): Promise<ReadAnswer> {
    const timing = currentTiming();
    timing?.mark(transaction ? 'database' : 'parse');
    const operation = hooks.params.call(given);
    refuseExcess(operation.query);
    const chosen = choicesOf(operation);
    const window = await windowOf(operation, chosen);
    const place = placeOf(operation, chosen, window);
    const { shape, values: asked } = describeRead(operation, chosen, window, parameters(), place?.marks);
    const found =
      (shape === undefined ? undefined : compiled.get(shape)) ??
      (await compile(operation, chosen, shape, place?.marks));
    const { plan, prepared, number } = found;
    const values = bind(plan, asked);
    const refused = window.refused ?? place?.refused;
    if (refused) throw refused;
    timing?.mark('plan');
    // A tap may do more in the transaction, or fail.
    const ends = isLast && !isTapped(hooks.execute) && !isTapped(hooks.result);
    const runAlone = () => (place ? runFrom(found, values, transaction) : prepared.run(values, transaction, ends));
    const question = transaction || number === undefined ? undefined : questionOf(number, values);
    const run = question === undefined ? runAlone : () => joined.answer(question, runAlone, groupedBy(found, values));
    const tapped = isTapped(hooks.execute)
      ? await hooks.execute.promise({ operation, plan, values, run, reads: prepared.reads, question, transaction })
      : undefined;
    const answer = tapped ?? (await run());
    timing?.mark('database');
    const whole: ReadAnswer = place && answer.last ? { ...answer, next: cursorOf(place.list, answer.last) } : answer;
    return isTapped(hooks.result) ? withTaps(whole, operation) : whole;
  }

  return {
    read,
    async checkKeys(operation: Operation): Promise<void> {
      refuseExcess(operation.query);
      const context = await contextOf(operation);
      refusingUnfit(() => checkKeys(operation, context));
    },
  };
}

export type Read = ReturnType<typeof createReads>['read'];
