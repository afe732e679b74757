import { own } from './own';
import type { Json } from './row';

export interface Difference {
  path: string;
  expected: Json;
  /** Undefined where the answer has nothing at that path. */
  got: Json | undefined;
}

type Match = (expected: Json, got: Json | undefined, path: string) => Difference[];
type JsonObject = { [key: string]: Json };

const text = (test: RegExp) => (got: Json) => typeof got === 'string' && test.test(got);

/** Strings that stand for any value of a sort. */
export const words: Record<string, (got: Json) => boolean> = {
  $any: () => true,
  $string: (got) => typeof got === 'string',
  $integer: (got) => Number.isInteger(got),
  $number: (got) => typeof got === 'number',
  $boolean: (got) => typeof got === 'boolean',
  $iso: text(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  $documentId: text(/^[a-z0-9]{24}$/),
};

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const wrong = (expected: Json, got: Json | undefined, path: string): Difference[] => [{ path, expected, got }];
const holds = (ok: boolean, form: string, argument: Json, got: Json | undefined, path: string) =>
  ok ? [] : wrong({ [form]: argument }, got, path);

type Form = {
  check: (argument: Json) => boolean;
  match: (argument: Json, got: Json | undefined, path: string, match: Match) => Difference[];
};

const listOf = (argument: Json): Json[] => (Array.isArray(argument) ? argument : []);

/** By numbers, or by texts whose order is that of their characters, such as times. Where nulls stand is not said. */
function isSorted(list: Json[], order: string): boolean {
  const [key = '', direction] = order.split(':');
  const values = list.flatMap((item) => (isObject(item) ? (own(item, key) ?? []) : [])) as (number | string)[];
  return values.slice(1).every((value, index) => {
    const before = values[index] as number | string;
    return direction === 'desc' ? before >= value : before <= value;
  });
}

/** Objects of one key that stand for a condition. `check` says whether the argument makes sense. */
export const forms: Record<string, Form> = {
  $is: {
    check: () => true,
    match: (argument, got, path) => holds(JSON.stringify(argument) === JSON.stringify(got), '$is', argument, got, path),
  },
  $absent: {
    check: (argument) => argument === true,
    match: (argument, got, path) => holds(got === undefined, '$absent', argument, got, path),
  },
  $not: {
    check: () => true,
    match: (argument, got, path, match) =>
      holds(got !== undefined && match(argument, got, path).length > 0, '$not', argument, got, path),
  },
  $matches: {
    check: (argument) => typeof argument === 'string',
    match: (argument, got, path) =>
      holds(typeof got === 'string' && new RegExp(argument as string).test(got), '$matches', argument, got, path),
  },
  $length: {
    check: (argument) => Number.isInteger(argument),
    match: (argument, got, path) =>
      holds(Array.isArray(got) && got.length === argument, '$length', argument, got, path),
  },
  $partial: {
    check: isObject,
    match: (argument, got, path, match) =>
      isObject(got)
        ? Object.entries(argument as JsonObject).flatMap(([key, item]) => match(item, own(got, key), `${path}.${key}`))
        : wrong({ $partial: argument }, got, path),
  },
  $each: {
    check: () => true,
    match: (argument, got, path, match) =>
      Array.isArray(got) && got.length > 0
        ? got.flatMap((item, index) => match(argument, item, `${path}.${index}`))
        : wrong({ $each: argument }, got, path),
  },
  $pluck: {
    check: (argument) => isObject(argument) && Object.values(argument).every(Array.isArray),
    match: (argument, got, path, match) =>
      Array.isArray(got)
        ? Object.entries(argument as JsonObject).flatMap(([key, list]) =>
            match(
              list,
              got.map((item) => (isObject(item) ? (own(item, key) ?? null) : null)),
              `${path}.*.${key}`,
            ),
          )
        : wrong({ $pluck: argument }, got, path),
  },
  $sorted: {
    check: (argument) => typeof argument === 'string' && /^\w+:(asc|desc)$/.test(argument),
    match: (argument, got, path) =>
      holds(Array.isArray(got) && isSorted(got, String(argument)), '$sorted', argument, got, path),
  },
  $unordered: {
    check: Array.isArray,
    match: (argument, got, path, match) => {
      const left = Array.isArray(got) ? [...got] : [];
      const missing = listOf(argument).filter((item) => {
        const index = left.findIndex((candidate) => match(item, candidate, path).length === 0);
        if (index >= 0) left.splice(index, 1);
        return index < 0;
      });
      return holds(Array.isArray(got) && missing.length === 0 && left.length === 0, '$unordered', argument, got, path);
    },
  },
  $all: {
    check: Array.isArray,
    match: (argument, got, path, match) => listOf(argument).flatMap((item) => match(item, got, path)),
  },
  $anyOf: {
    check: Array.isArray,
    match: (argument, got, path, match) =>
      holds(
        listOf(argument).some((item) => match(item, got, path).length === 0),
        '$anyOf',
        argument,
        got,
        path,
      ),
  },
};

/** The form that an object spells, if it has exactly one key and that starts with `$`. */
export function formOf(value: Json): { name: string; argument: Json } | undefined {
  if (!isObject(value)) return undefined;
  const [entry, more] = Object.entries(value);
  return entry && !more && entry[0].startsWith('$') ? { name: entry[0], argument: entry[1] } : undefined;
}
