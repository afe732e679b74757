import type { NestedSelection, Populated, Predicate, ReadPlan } from '../../core';
import { both, type Mutation, name, rest } from './mutation';

type Change = (predicate: Predicate) => Predicate;

/** What the service adds by itself stays: without it, nothing would work at all. */
const own = new Set(['documentId', 'locale', 'publishedAt']);
const isOwn = (predicate: Predicate): boolean => 'attribute' in predicate && own.has(predicate.attribute.name);

function deep(predicate: Predicate, change: Change): Predicate {
  if (isOwn(predicate)) return predicate;
  if (predicate.op === 'and' || predicate.op === 'or')
    return change({ ...predicate, items: predicate.items.map((item) => deep(item, change)) });
  if (predicate.op === 'not') return change({ ...predicate, item: deep(predicate.item, change) });
  if (predicate.op === 'some') return change({ ...predicate, where: predicate.where && deep(predicate.where, change) });
  return change(predicate);
}

const inSelection =
  (change: Change) =>
  (selection: NestedSelection): NestedSelection => ({
    ...selection,
    where: selection.where && deep(selection.where, change),
    populate: selection.populate.map(inPopulated(change)),
  });

const inPopulated =
  (change: Change) =>
  (populated: Populated): Populated => ({ ...populated, selections: populated.selections.map(inSelection(change)) });

const changed = (plan: ReadPlan, change: Change): ReadPlan => ({
  ...plan,
  where: plan.where && deep(plan.where, change),
  populate: plan.populate.map(inPopulated(change)),
});

const mutation = (id: string, rules: string[], change: Change): Mutation => ({
  id: `filters.${id}`,
  rules,
  tap: (hooks) => void hooks.document.plan.tap(name, (plan) => changed(plan, change)),
});

type Of<Op extends Predicate['op']> = Extract<Predicate, { op: Op }>;

const where =
  <Op extends Predicate['op']>(
    op: Op,
    fits: (predicate: Of<Op>) => boolean,
    into: (predicate: Of<Op>) => Predicate,
  ): Change =>
  (predicate) =>
    predicate.op === op && fits(predicate as Of<Op>) ? into(predicate as Of<Op>) : predicate;

type Comparison = Of<'compare'>['comparison'];
const compares = (from: Comparison, to: Comparison): Change =>
  where(
    'compare',
    ({ comparison }) => comparison === from,
    (predicate) => ({ ...predicate, comparison: to }),
  );

const text = (fits: Partial<Of<'text'>>, into: Partial<Of<'text'>>): Change =>
  where(
    'text',
    (predicate) => Object.entries(fits).every(([key, value]) => predicate[key as keyof typeof predicate] === value),
    (predicate) => ({ ...predicate, ...into }),
  );

const nothing: Predicate = { op: 'never' };

/** Operators that mean a little less, or a little more. */
export const predicateMutations: readonly Mutation[] = [
  mutation('lt.with-equal', both('lt'), compares('lt', 'lte')),
  mutation('lte.without-equal', both('lte'), compares('lte', 'lt')),
  mutation('gt.with-equal', both('gt'), compares('gt', 'gte')),
  mutation('gte.without-equal', both('gte'), compares('gte', 'gt')),
  mutation('eq.or-more', both('eq'), compares('eq', 'gte')),
  mutation('ne.is-less', both('ne'), compares('ne', 'lt')),
  mutation(
    'in.first-only',
    [...both('in'), 'spec.filters.3'],
    where(
      'in',
      (p) => !p.negated,
      (p) => ({ ...p, slots: p.slots.slice(0, 1) }),
    ),
  ),
  mutation(
    'not-in.first-only',
    both('not-in'),
    where(
      'in',
      (p) => p.negated,
      (p) => ({ ...p, slots: p.slots.slice(0, 1) }),
    ),
  ),
  mutation(
    'between.without-high',
    [...both('between'), 'spec.filters.7'],
    where(
      'between',
      () => true,
      (p) => ({
        op: 'and',
        items: [
          { op: 'compare', attribute: p.attribute, comparison: 'gte', slot: p.low },
          { op: 'compare', attribute: p.attribute, comparison: 'lt', slot: p.high },
        ],
      }),
    ),
  ),
  mutation(
    'contains.at-start',
    both('contains'),
    text({ match: 'contains', caseless: false, negated: false }, { match: 'startsWith' }),
  ),
  mutation(
    'contains.any-case',
    both('contains'),
    text({ match: 'contains', caseless: false, negated: false }, { caseless: true }),
  ),
  mutation(
    'containsi.case',
    both('containsi'),
    text({ match: 'contains', caseless: true, negated: false }, { caseless: false }),
  ),
  mutation(
    'not-contains.at-start',
    both('not-contains'),
    text({ match: 'contains', caseless: false, negated: true }, { match: 'startsWith' }),
  ),
  mutation(
    'not-containsi.case',
    both('not-containsi'),
    text({ match: 'contains', caseless: true, negated: true }, { caseless: false }),
  ),
  mutation(
    'starts-with.anywhere',
    both('starts-with'),
    text({ match: 'startsWith', caseless: false }, { match: 'contains' }),
  ),
  mutation(
    'starts-withi.case',
    rest('starts-withi'),
    text({ match: 'startsWith', caseless: true }, { caseless: false }),
  ),
  mutation(
    'ends-with.anywhere',
    both('ends-with'),
    text({ match: 'endsWith', caseless: false }, { match: 'contains' }),
  ),
  mutation('ends-withi.case', rest('ends-withi'), text({ match: 'endsWith', caseless: true }, { caseless: false })),
  mutation('eqi.case', both('eqi'), text({ match: 'equals', caseless: true, negated: false }, { caseless: false })),
  mutation('nei.case', both('nei'), text({ match: 'equals', caseless: true, negated: true }, { caseless: false })),
  mutation(
    'null.is-not',
    both('null'),
    where(
      'null',
      (p) => !p.negated,
      (p) => ({ ...p, negated: true }),
    ),
  ),
  mutation(
    'not-null.is',
    both('not-null'),
    where(
      'null',
      (p) => p.negated,
      (p) => ({ ...p, negated: false }),
    ),
  ),
  mutation('or.is-and', [...both('or'), 'spec.filters.2.arrays'], (p) => (p.op === 'or' ? { ...p, op: 'and' } : p)),
  mutation('or.first-only', [...both('or'), 'spec.filters.2.nesting'], (p) =>
    p.op === 'or' ? { ...p, items: p.items.slice(0, 1) } : p,
  ),
  mutation(
    'deep.nothing',
    ['spec.filters.4a', 'spec.filters.5'],
    where(
      'some',
      () => true,
      () => nothing,
    ),
  ),
  mutation(
    'deep.any',
    ['spec.filters.4a'],
    where(
      'some',
      (p) => p.where !== undefined,
      (p) => ({ ...p, where: undefined }),
    ),
  ),
];
