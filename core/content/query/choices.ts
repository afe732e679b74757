import { flatMapped } from '../../flat-mapped';
import type { Attribute } from '../attribute';
import type { ContentRegistry, ContentType } from '../content-type';
import { type Choice, parameterOf } from '../dimension';
import type { DocumentQuery, Operation } from '../operation';
import type { Row } from '../store';
import type { Predicate } from './predicate';
import { asIs, type Slots } from './slots';

/** A dimension's choice for one operation, with the attribute that keeps it. */
export interface Chosen {
  readonly attribute: Attribute;
  readonly choice: Choice;
}

export const attributeOf = (type: ContentType, name: string): Attribute => type.attributes.get(name)!;

/** What each dimension of the type selects for this operation. */
export function choicesOf({ action, type, query }: Pick<Operation, 'action' | 'type' | 'query'>): Chosen[] {
  return type.dimensions.map((dimension) => ({
    attribute: attributeOf(type, dimension.attribute.name),
    choice: dimension.choose(query.parameters?.[parameterOf(dimension)], { action, type: type.definition }),
  }));
}

const valuesIn = (choice: Choice): readonly (string | number)[] =>
  'is' in choice ? [choice.is] : 'oneOf' in choice ? choice.oneOf : [];

function shapeIn(choice: Choice): string {
  if ('is' in choice) return '=';
  // What is left out of the other variants of a document is part of the plan.
  if ('oneOf' in choice) return `in${JSON.stringify(choice.oneOf)}`;
  return 'present' in choice ? String(choice.present) : '*';
}

/** The part of a plan's shape that the choices decide, and the values they bind. */
export function shapeOfChoices(chosen: readonly Chosen[]): { shape: string; values: (string | number)[] } {
  return {
    shape: chosen.map(({ choice }) => shapeIn(choice)).join(),
    values: flatMapped(chosen, ({ choice }) => valuesIn(choice)),
  };
}

/** The condition that a choice makes; `slotFor` gives its values their slots. */
export function choicePredicateOf(
  { attribute, choice }: Chosen,
  slotFor: (value: string | number) => number,
): Predicate | undefined {
  if ('is' in choice) return { op: 'compare', attribute, comparison: 'eq', slot: slotFor(choice.is) };
  if ('oneOf' in choice) return { op: 'in', attribute, slots: choice.oneOf.map(slotFor), negated: false };
  if ('present' in choice) return { op: 'null', attribute, negated: choice.present };
  return undefined;
}

export const choicePredicate = (chosen: Chosen, slots: Slots): Predicate | undefined =>
  choicePredicateOf(chosen, () => slots.next(asIs));

/** The parameters that select variants, without those that narrow a read further. */
export function variantParameters(
  registry: ContentRegistry,
  parameters: DocumentQuery['parameters'] = {},
): Record<string, unknown> {
  const names = new Set(registry.dimensions.map(parameterOf));
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => names.has(name)));
}

/** The parameters by which one of these rows is found, where a dimension looks for another variant than was asked for. */
export function fittingParameters(
  { dimensions }: ContentType,
  parameters: DocumentQuery['parameters'],
  rows: readonly Row[],
): DocumentQuery['parameters'] {
  const fitting = { ...parameters };
  for (const dimension of dimensions) {
    const name = parameterOf(dimension);
    if (dimension.fitting) fitting[name] = dimension.fitting(parameters?.[name], rows);
  }
  return fitting;
}
