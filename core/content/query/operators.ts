import { validationError } from '../../errors';
import type { Attribute } from '../attribute';
import { type Comparison, never, type Predicate, some, type TextMatch } from './predicate';
import { dateText, isNullOperator, meansYes } from './shape';
import { asText, type Slots } from './slots';

const comparisons: Readonly<Record<string, Comparison>> = {
  $eq: 'eq',
  $ne: 'ne',
  $lt: 'lt',
  $lte: 'lte',
  $gt: 'gt',
  $gte: 'gte',
};

const textOperators: Readonly<Record<string, { match: TextMatch; caseless: boolean; negated: boolean }>> = {
  $eqi: { match: 'equals', caseless: true, negated: false },
  $nei: { match: 'equals', caseless: true, negated: true },
  $contains: { match: 'contains', caseless: false, negated: false },
  $notContains: { match: 'contains', caseless: false, negated: true },
  $containsi: { match: 'contains', caseless: true, negated: false },
  $notContainsi: { match: 'contains', caseless: true, negated: true },
  $startsWith: { match: 'startsWith', caseless: false, negated: false },
  $startsWithi: { match: 'startsWith', caseless: true, negated: false },
  $endsWith: { match: 'endsWith', caseless: false, negated: false },
  $endsWithi: { match: 'endsWith', caseless: true, negated: false },
};

export const operators: ReadonlySet<string> = new Set([
  ...Object.keys(comparisons),
  ...Object.keys(textOperators),
  '$in',
  '$notIn',
  '$between',
  '$null',
  '$notNull',
]);

type Leaf = string | number | boolean | null;

/** A list that holds more than it may comes as an object. */
const isLongList = (value: object): boolean => {
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key, at) => key === String(at));
};

/** The scalars of an operator's value, nested lists flattened; an object is refused, for it can't be compared. */
function leaves(value: unknown, operator: string, attribute: Attribute): Leaf[] {
  if (value === null || value === undefined) return [null];
  if (Array.isArray(value)) return value.flatMap((item) => leaves(item, operator, attribute));
  if (value instanceof Date) return [dateText(value)];
  if (typeof value === 'object') {
    const taken = isLongList(value)
      ? 'fewer values: arrayLimit of heddle::query says how many'
      : 'a plain value, not an object';
    throw validationError(`${operator} on ${attribute.name} takes ${taken}.`);
  }
  return [value as Leaf];
}

const slotFor = (attribute: Attribute, slots: Slots): number => slots.next((given) => attribute.kind.toFilter(given));

function compare(attribute: Attribute, comparison: Comparison, values: readonly Leaf[], slots: Slots): Predicate {
  if (comparison === 'eq' && values.length !== 1) return within(attribute, values, false, slots);
  const items = values.map((value): Predicate => {
    if (value !== null) return { op: 'compare', attribute, comparison, slot: slotFor(attribute, slots) };
    if (comparison === 'eq' || comparison === 'ne') return { op: 'null', attribute, negated: comparison === 'ne' };
    return never;
  });
  return items.length === 0 ? never : some(items);
}

function within(attribute: Attribute, values: readonly Leaf[], negated: boolean, slots: Slots): Predicate {
  const taken = values
    .map((value) => (value === null ? undefined : slotFor(attribute, slots)))
    .filter((slot) => slot !== undefined);
  // A list with null can't tell that a value is outside it; an empty list holds nothing.
  if (negated && taken.length < values.length) return never;
  if (taken.length > 0) return { op: 'in', attribute, slots: taken, negated };
  return negated ? { op: 'null', attribute, negated: true } : never;
}

/** A value that does not fit is told rather than the wrong number of values. */
function refusedRange(attribute: Attribute, values: readonly Leaf[]): Error {
  try {
    for (const given of values) if (given !== null) attribute.kind.toFilter(given);
  } catch (error) {
    return error as Error;
  }
  return validationError(`$between on ${attribute.name} takes exactly two values.`);
}

function between(attribute: Attribute, value: unknown, slots: Slots): Predicate {
  const values = leaves(value, '$between', attribute);
  if (!Array.isArray(value) || value.length !== 2 || values.length !== 2 || values.includes(null)) {
    slots.refused ??= refusedRange(attribute, values);
    return never;
  }
  return { op: 'between', attribute, low: slotFor(attribute, slots), high: slotFor(attribute, slots) };
}

function text(attribute: Attribute, operator: string, value: unknown, slots: Slots): Predicate {
  const meaning = textOperators[operator]!;
  const items = leaves(value, operator, attribute).map((leaf): Predicate => {
    if (leaf !== null) return { op: 'text', attribute, ...meaning, slot: slots.next(asText) };
    return meaning.match === 'equals' ? { op: 'null', attribute, negated: meaning.negated } : never;
  });
  return items.length === 0 ? never : some(items);
}

/** The condition that one operator makes of an attribute. Slots are taken in the order of the value's scalars. */
export function operatorPredicate(attribute: Attribute, operator: string, value: unknown, slots: Slots): Predicate {
  if (isNullOperator(operator))
    return { op: 'null', attribute, negated: (operator === '$notNull') === meansYes(value) };
  if (operator === '$in' || operator === '$notIn')
    return within(attribute, leaves(value, operator, attribute), operator === '$notIn', slots);
  if (operator === '$between') return between(attribute, value, slots);
  const comparison = comparisons[operator];
  return comparison
    ? compare(attribute, comparison, leaves(value, operator, attribute), slots)
    : text(attribute, operator, value, slots);
}

/** A bare value: equal to it, or to one of a list. */
export const barePredicate = (attribute: Attribute, value: unknown, slots: Slots): Predicate =>
  compare(attribute, 'eq', leaves(value, 'a filter', attribute), slots);
