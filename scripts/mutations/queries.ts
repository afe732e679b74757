import type { DocumentQuery, Operation, ReadPlan, Window } from '../../core';
import { type Mutation, name } from './mutation';

const query = (
  id: string,
  rules: string[],
  change: (given: DocumentQuery, operation: Operation) => DocumentQuery,
): Mutation => ({
  id,
  rules,
  tap: (hooks) =>
    void hooks.document.params.tap(name, (operation) => ({ ...operation, query: change(operation.query, operation) })),
});

const plan = (id: string, rules: string[], change: (given: ReadPlan) => ReadPlan): Mutation => ({
  id,
  rules,
  tap: (hooks) => void hooks.document.plan.tap(name, change),
});

const without =
  (...keys: (keyof DocumentQuery)[]) =>
  (given: DocumentQuery): DocumentQuery =>
    Object.fromEntries(Object.entries(given).filter(([key]) => !keys.includes(key as keyof DocumentQuery)));

const withoutParameter =
  (parameter: string) =>
  (given: DocumentQuery): DocumentQuery => {
    const { [parameter]: _, ...parameters } = given.parameters ?? {};
    return { ...given, parameters };
  };

const window =
  (change: (given: Window) => Window) =>
  (given: DocumentQuery): DocumentQuery => {
    const { window: asked } = given;
    return asked ? { ...given, window: () => change(asked()) } : given;
  };

const onlyFor =
  (actions: string[], change: (given: DocumentQuery) => DocumentQuery) =>
  (given: DocumentQuery, { action }: Operation) =>
    actions.includes(action) ? change(given) : given;

const reads = ['find', 'findOne'];

/** Parts of a request that are not obeyed, or a little otherwise. */
export const queryMutations: readonly Mutation[] = [
  query(
    'filters.ignored',
    ['spec.query.filters', 'spec.filters.p1', 'spec.filters.1', 'spec.graphql-filters.p1a'],
    without('filters'),
  ),
  query(
    'sort.ignored',
    ['spec.query.sort', 'spec.sort.1a', 'spec.sort.1b', 'spec.graphql-pagination.b1'],
    without('sort'),
  ),
  plan('sort.upside-down', ['spec.sort.2', 'spec.sort.1a'], (given) => ({
    ...given,
    order: given.order.map((term) => ({ ...term, descending: !term.descending })),
  })),
  plan('sort.never-descends', ['spec.sort.2'], (given) => ({
    ...given,
    order: given.order.map((term) => ({ ...term, descending: false })),
  })),
  plan('sort.one-key', ['spec.sort.1b', 'spec.sort.3'], (given) => ({
    ...given,
    order: [given.order[0]!, given.order.at(-1)!],
  })),
  query('fields.ignored', ['spec.query.fields', 'spec.fields.1', 'spec.collection.one.fields'], without('fields')),
  query(
    'populate.ignored',
    [
      'spec.query.populate',
      'spec.populate.2',
      'spec.populate.form.one-relation',
      'spec.populate.form.component',
      'spec.collection.one.populate',
    ],
    without('populate'),
  ),
  query(
    'locale.ignored',
    [
      'spec.query.locale',
      'spec.locale.form.list',
      'spec.locale.form.one',
      'spec.collection.one.locale',
      'spec.locale.1b',
    ],
    onlyFor(reads, withoutParameter('locale')),
  ),
  query(
    'locale.ignored.writes',
    [
      'spec.locale.form.create',
      'spec.locale.form.add-or-update',
      'spec.collection.create.locale',
      'spec.collection.update.locale',
      'spec.graphql-mutations.b2',
    ],
    onlyFor(['create', 'update'], withoutParameter('locale')),
  ),
  query(
    'locale.ignored.deletes',
    ['spec.locale.form.delete', 'spec.collection.delete.locale', 'spec.single.delete.locale'],
    onlyFor(['delete'], withoutParameter('locale')),
  ),
  query(
    'status.ignored',
    [
      'spec.query.status',
      'spec.status.2.draft',
      'spec.states.draft',
      'spec.collection.one.status',
      'spec.states.draft.graphql',
      'spec.graphql-queries.b1',
      'spec.document.published-at.draft',
    ],
    onlyFor(reads, withoutParameter('status')),
  ),
  query(
    'status.drafts-by-default',
    ['spec.status.2.published', 'spec.states.published', 'spec.states.published.graphql', 'spec.states.p2a'],
    onlyFor(reads, (given) => ({ ...given, parameters: { status: 'draft', ...given.parameters } })),
  ),
  query(
    'pages.one-behind',
    ['spec.pagination.start', 'spec.pagination.page', 'spec.graphql-pagination.start', 'spec.graphql-pagination.page'],
    window((given) => ({ ...given, start: given.start + 1 })),
  ),
  query(
    'pages.one-more',
    [
      'spec.pagination.page-size',
      'spec.pagination.limit',
      'spec.graphql-pagination.page-size',
      'spec.graphql-pagination.limit',
    ],
    window((given) => ({ ...given, limit: given.limit + 1 })),
  ),
  query(
    'pages.default-size',
    ['spec.limits.rest-default-page-size', 'spec.limits.rest-default-limit', 'spec.pagination.p2b'],
    window((given) => (given.limit === 25 ? { ...given, limit: 24 } : given)),
  ),
  query(
    'pages.default-size.graphql',
    ['spec.limits.graphql-default-page-size-and-limit'],
    window((given) => (given.limit === 10 ? { ...given, limit: 9 } : given)),
  ),
  query(
    'pages.without-count',
    ['spec.pagination.with-count', 'spec.pagination.p2a', 'spec.envelope.p2a'],
    window((given) => ({ ...given, total: false })),
  ),
  query(
    'pages.mixed',
    ['spec.pagination.with-count'],
    window(({ refused: _, ...given }) => given),
  ),
  plan('populate.filters-ignored', ['spec.populate.form.filters-and-sort'], (given) => ({
    ...given,
    populate: given.populate.map((populated) => ({
      ...populated,
      selections: populated.selections.map((selection) => ({ ...selection, where: undefined })),
    })),
  })),
  plan('populate.sort-ignored', ['spec.populate.form.filters-and-sort'], (given) => ({
    ...given,
    populate: given.populate.map((populated) => ({
      ...populated,
      selections: populated.selections.map((selection) => ({ ...selection, order: undefined })),
    })),
  })),
  plan('populate.first-only', ['spec.populate.form.several-relations', 'spec.populate.form.all'], (given) => ({
    ...given,
    populate: given.populate.slice(0, 1),
  })),
  plan(
    'populate.one-level',
    ['spec.populate.form.nested-relation', 'spec.populate.form.nested-component', 'spec.populate.5'],
    (given) => ({
      ...given,
      populate: given.populate.map((populated) => ({
        ...populated,
        selections: populated.selections.map((selection) => ({ ...selection, populate: [] })),
      })),
    }),
  ),
];
