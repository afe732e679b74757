import { didYouMean } from '../kernel/suggest';
import type { AttributeDefinition, TypeDefinition } from './definition';

/** What an attribute of the same document holds, by its name. */
export type Held = (name: string) => unknown;

type Term = (held: Held) => unknown;

/** When an attribute is shown to those who edit a document. */
export interface Condition {
  readonly isShown: (held: Held) => boolean;
  /** The attributes that it depends on. */
  readonly names: readonly string[];
}

/** Not an error: such a condition stands in projects that start elsewhere. */
class Unreadable extends Error {}

type Pair = (left: unknown, right: unknown) => boolean;

/** Compares as JSON logic does, that is as JavaScript does. */
const comparisons: Readonly<Record<string, Pair>> = {
  // biome-ignore lint/suspicious/noDoubleEquals: this is what the operator means.
  '==': (left, right) => left == right,
  // biome-ignore lint/suspicious/noDoubleEquals: this is what the operator means.
  '!=': (left, right) => left != right,
  '===': (left, right) => left === right,
  '!==': (left, right) => left !== right,
  '<': (left, right) => (left as number) < (right as number),
  '<=': (left, right) => (left as number) <= (right as number),
  '>': (left, right) => (left as number) > (right as number),
  '>=': (left, right) => (left as number) >= (right as number),
  in: (left, right) => (typeof right === 'string' || Array.isArray(right)) && right.includes(left as string),
};

const operators = [...Object.keys(comparisons), 'var', '!', '!!', 'and', 'or'];

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function compiled(logic: unknown, names: string[]): Term {
  if (Array.isArray(logic)) {
    const items = logic.map((item) => compiled(item, names));
    return (held) => items.map((item) => item(held));
  }
  if (!isRecord(logic)) return () => logic;
  const [operator, ...others] = Object.keys(logic);
  if (operator === undefined || others.length > 0) throw new Unreadable('does not hold one operator.');
  const given = [logic[operator]].flat();
  if (operator === 'var') {
    const name = String(given[0]);
    names.push(name);
    return (held) => held(name);
  }
  const terms = given.map((each) => compiled(each, names));
  const first: Term = terms[0] ?? (() => undefined);
  const second: Term = terms[1] ?? (() => undefined);
  if (operator === '!') return (held) => !first(held);
  if (operator === '!!') return (held) => Boolean(first(held));
  if (operator === 'and') return (held) => terms.every((term) => term(held));
  if (operator === 'or') return (held) => terms.some((term) => term(held));
  const compare = Object.hasOwn(comparisons, operator) ? comparisons[operator] : undefined;
  if (!compare)
    throw new Unreadable(`has the operator "${operator}", which is none.${didYouMean(operator, operators)}`);
  return (held) => compare(first(held), second(held));
}

const saysConditions = ({ conditions }: AttributeDefinition): boolean =>
  conditions !== undefined && conditions !== null;

/** Reads an attribute's condition; a text tells why that is none. */
function read(definition: AttributeDefinition): Condition | string | undefined {
  const { conditions } = definition;
  if (!saysConditions(definition)) return undefined;
  if (!isRecord(conditions) || !('visible' in conditions)) return 'says nothing under "visible".';
  const names: string[] = [];
  try {
    const term = compiled(conditions['visible'], names);
    return { isShown: (held) => Boolean(term(held)), names };
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
}

/** The condition of an attribute; undefined where it has none, or none that can be read. */
export function conditionOf(definition: AttributeDefinition): Condition | undefined {
  const condition = read(definition);
  return typeof condition === 'string' ? undefined : condition;
}

/** Whether what a body says of some attribute is judged by what others hold. */
export const hasConditions = ({ attributes }: Pick<TypeDefinition, 'attributes'>): boolean =>
  Object.values(attributes).some(saysConditions);

/** Demanded in every document that everyone can see. */
export const isAlwaysRequired = (definition: AttributeDefinition): boolean =>
  definition['required'] === true && conditionOf(definition) === undefined;

/** What is amiss with the condition of an attribute, beside the attributes that hold a value of their own. */
export function conditionNotices(definition: AttributeDefinition, valued: readonly string[]): string[] {
  const condition = read(definition);
  if (typeof condition === 'string') return [`is without effect: it ${condition}`];
  const unknown = condition?.names.filter((name) => !valued.includes(name)) ?? [];
  return unknown.map(
    (name) => `takes "${name}" for empty: no such attribute holds a value.${didYouMean(name, valued)}`,
  );
}
