import { z } from 'zod';
import { textOf } from '../../text-of';
import type { AttributeDefinition } from '../definition';
import { type AttributeKind, type Check, type Refusal, UnfitValue } from './kind';
import { wrongType } from './messages';

/** Numbers, and texts that spell one; all else is no number. */
function toNumber(given: unknown): number {
  if (typeof given === 'number') return given;
  const text = typeof given === 'string' || Array.isArray(given) ? textOf(given).replace(/\s/g, '') : '';
  return text === '' ? Number.NaN : Number(text);
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

function numberFilter(given: unknown): number {
  const value =
    typeof given === 'number' ? given : typeof given === 'string' && given.trim() !== '' ? Number(given) : Number.NaN;
  if (!Number.isFinite(value))
    throw new UnfitValue(`A filter on numbers takes a number, not ${JSON.stringify(given)}.`);
  return value;
}

/** Bounds are written as numbers, in some files as text. */
const bound = z.union([z.number(), z.string().regex(/^-?\d+(\.\d+)?$/)]).optional();
const wholeBound = z.union([z.int(), z.string().regex(/^-?\d+$/)]).optional();
const options = z.object({ min: bound, max: bound, default: z.number().nullable().optional() });

type Rule = (value: number, label: string) => string | undefined;

const whole: Rule = (value, label) => (Number.isInteger(value) ? undefined : `${label} must be an integer`);
const notEndless: Rule = (value, label) => (Number.isFinite(value) ? undefined : `${label} must be a finite number`);

function rangeRules({ min, max }: AttributeDefinition): { least: Rule[]; most: Rule[] } {
  const least =
    min === undefined
      ? []
      : [
          ((value, label) =>
            value < Number(min) ? `${label} must be greater than or equal to ${min}` : undefined) as Rule,
        ];
  const most =
    max === undefined
      ? []
      : [
          ((value, label) =>
            value > Number(max) ? `${label} must be less than or equal to ${max}` : undefined) as Rule,
        ];
  return { least, most };
}

function numberCheck(definition: AttributeDefinition, nature: Rule): Check {
  const { least, most } = rangeRules(definition);
  const complete = [nature, ...least, ...most];
  const sketch = [nature, ...most];
  return (given, label, strictness) => {
    const value = toNumber(given);
    if (Number.isNaN(value)) return { refusals: [wrongType(label, 'number', value, given)] };
    const rules = strictness === 'complete' ? complete : sketch;
    const refusals = rules
      .map((rule) => rule(value, label))
      .filter((message) => message !== undefined)
      .map((message): Refusal => ({ message, value: finite(value) }));
    return refusals.length > 0 ? { refusals } : { value };
  };
}

const base = { options, typeName: 'number', toFilter: numberFilter } as const;

const integer: AttributeKind = {
  ...base,
  name: 'integer',
  storage: 'integer',
  check: (definition) => numberCheck(definition, whole),
};
const float: AttributeKind = {
  ...base,
  name: 'float',
  storage: 'float',
  check: (definition) => numberCheck(definition, notEndless),
};
const decimal: AttributeKind = {
  ...base,
  name: 'decimal',
  storage: 'decimal',
  check: (definition) => numberCheck(definition, notEndless),
};

const most64 = 2n ** 63n - 1n;
const wholeText = /^\s*[+-]?\d+\s*$/;

/** A whole number of any size, or undefined. */
function toBigInt(given: unknown): bigint | undefined {
  if (typeof given === 'bigint') return given;
  if (typeof given === 'number') return Number.isInteger(given) ? BigInt(given) : undefined;
  return typeof given === 'string' && wholeText.test(given) ? BigInt(given.trim().replace('+', '')) : undefined;
}

const biginteger: AttributeKind = {
  name: 'biginteger',
  storage: 'biginteger',
  options: z.object({
    min: wholeBound,
    max: wholeBound,
    default: z.union([z.number(), z.string()]).nullable().optional(),
  }),
  check({ min, max }) {
    const [least, most] = [min, max].map((given) =>
      given === undefined ? undefined : BigInt(given as string | number),
    );
    return (given, label, strictness) => {
      const value = toBigInt(given);
      if (value === undefined || value > most64 || value < -most64 - 1n)
        return { refusals: [{ message: `${label} must be a valid integer`, value: given }] };
      if (most !== undefined && value > most)
        return { refusals: [{ message: `${label} must be less than or equal to ${max}`, value: given }] };
      if (strictness === 'complete' && least !== undefined && value < least) {
        return { refusals: [{ message: `${label} must be greater than or equal to ${min}`, value: given }] };
      }
      return { value };
    };
  },
  toFilter(given) {
    const value = toBigInt(given);
    if (value === undefined)
      throw new UnfitValue(`A filter on big integers takes a whole number, not ${JSON.stringify(given)}.`);
    return value;
  },
};

export const numberKinds: readonly AttributeKind[] = [integer, float, decimal, biginteger];
