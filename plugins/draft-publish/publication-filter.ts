import {
  type ContentType,
  type Entry,
  type Nested,
  type Operation,
  type Populated,
  type Predicate,
  type ReadPlan,
  type Selection,
  validationError,
} from '../../core';
import { hasDrafts, publishedAt, statusParameter, wantsPublished } from './status';

export const filterParameter = 'publicationFilter';
export const versionParameter = 'hasPublishedVersion';

const never: Predicate = { op: 'never' };

/** What the filters look at: the other version of a row, in its own variant or in any. */
interface Pairs {
  readonly same: Predicate;
  readonly any: Predicate;
  /** The other version was changed later than this one, or earlier, or not. */
  newer(comparison: 'gt' | 'lt' | 'gte' | 'lte'): Predicate;
}

type Condition = (pairs: Pairs) => Predicate;

const not = (item: Predicate): Predicate => ({ op: 'not', item });

/** For each filter, the condition on published rows and the one on drafts. */
const conditions: Readonly<Record<string, { published: Condition; draft: Condition }>> = {
  'never-published': { published: () => never, draft: ({ same }) => not(same) },
  'has-published-version': { published: ({ same }) => same, draft: ({ same }) => same },
  modified: { published: ({ newer }) => newer('gt'), draft: ({ newer }) => newer('lt') },
  unmodified: { published: ({ newer }) => newer('lte'), draft: ({ newer }) => newer('gte') },
  'never-published-document': { published: () => never, draft: ({ any }) => not(any) },
  'has-published-version-document': { published: ({ any }) => any, draft: ({ any }) => any },
  'published-without-draft': { published: ({ same }) => not(same), draft: () => never },
  'published-with-draft': { published: ({ same }) => same, draft: () => never },
};

export const publicationFilters: readonly string[] = Object.keys(conditions);

const writes = new Set(['create', 'update']);

/** The filter that a request names; its mistakes are told here, on whatever type. */
function namedFilter({ query, action }: Operation): string | undefined {
  const filter = query.parameters?.[filterParameter];
  if (filter !== undefined && filter !== null) {
    if (typeof filter === 'string' && Object.hasOwn(conditions, filter)) return filter;
    const known = Object.keys(conditions).join(', ');
    throw validationError(`Invalid value for 'publicationFilter'. Expected one of: ${known}.`, {
      source: 'query',
      param: filterParameter,
    });
  }
  const version = query.parameters?.[versionParameter];
  if (version === undefined || version === null || writes.has(action)) return undefined;
  if (version === 'true') return 'has-published-version-document';
  return version === 'false' ? 'never-published-document' : `invalid ${versionParameter}`;
}

export const namesPublicationFilter = (operation: Operation): boolean => namedFilter(operation) !== undefined;

/** Puts the filter that a request names where plans are told apart by it. */
export function withPublicationFilter(operation: Operation): Operation {
  const filter = namedFilter(operation);
  if (filter === undefined) return operation;
  const { query } = operation;
  return { ...operation, query: { ...query, aspects: { ...query.aspects, [filterParameter]: filter } } };
}

function pairsOf(type: ContentType): Pairs {
  const others = type.dimensions.map(({ attribute }) => attribute.name).filter((name) => name !== publishedAt);
  const pair = (ignoring: readonly string[]): Nested => ({
    name: 'other version',
    storage: 'variants',
    definition: { type: 'variants', along: publishedAt, ignoring },
    many: true,
    targets: [type.uid],
    hidden: true,
    system: true,
  });
  const some = (ignoring: readonly string[], where?: Predicate): Predicate => ({
    op: 'some',
    nested: pair(ignoring),
    type,
    where,
    orNone: false,
  });
  const attribute = type.attributes.get('updatedAt')!;
  return {
    same: some([]),
    any: some(others),
    newer: (comparison) => some([], { op: 'relative', attribute, comparison }),
  };
}

/** Makes the condition on one type's documents, where it has drafts. */
type ConditionOn = (type: ContentType) => Predicate | undefined;

function narrowed(where: Predicate | undefined, type: ContentType, conditionOn: ConditionOn): Predicate | undefined {
  const added = conditionOn(type);
  return where && added ? { op: 'and', items: [where, added] } : (added ?? where);
}

/** Filters what a selection shows behind its documents, whichever way it says so. */
function narrowedBehind<S extends Selection>(shown: S, conditionOn: ConditionOn): S {
  const narrowedThings = (populated: Populated): Populated => ({
    ...populated,
    selections: populated.selections.map((selection) => ({
      ...narrowedBehind(selection, conditionOn),
      where: narrowed(selection.where, selection.type, conditionOn),
    })),
  });
  const narrowedEntry = (entry: Entry): Entry => {
    if ('populated' in entry) return { ...entry, populated: narrowedThings(entry.populated) };
    return 'inside' in entry ? { ...entry, inside: entry.inside.map(narrowedEntry) } : entry;
  };
  const { populate, entries } = shown;
  return {
    ...shown,
    populate: populate.map(narrowedThings),
    ...(entries && { entries: entries.map(narrowedEntry) }),
  };
}

/** Adds the filter's condition to a plan, for all documents that it shows. */
export function filterByPublication(plan: ReadPlan, { type, query }: Operation): ReadPlan {
  const filter = query.aspects?.[filterParameter];
  if (filter === `invalid ${versionParameter}`) {
    throw validationError("Invalid value for 'hasPublishedVersion'. Expected boolean or 'true'/'false' string.");
  }
  const condition = filter === undefined ? undefined : conditions[filter];
  if (!condition) return plan;
  const version = wantsPublished(query.parameters?.[statusParameter]) ? 'published' : 'draft';
  const conditionOn: ConditionOn = (of) => (hasDrafts(of.definition) ? condition[version](pairsOf(of)) : undefined);
  return { ...narrowedBehind(plan, conditionOn), where: narrowed(plan.where, type, conditionOn) };
}
