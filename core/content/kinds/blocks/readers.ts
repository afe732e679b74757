import { mostBodyLevels } from '../../../levels';
import { textOf } from '../../../text-of';
import type { Refusal } from '../kind';
import { wrongType } from '../messages';

export type Node = Readonly<Record<string, unknown>>;
type Path = readonly string[];

/** What a value becomes once it is read, and what is wrong with it. */
export interface Reading {
  readonly value: unknown;
  readonly refusals: readonly Refusal[];
}

/** Reads one value; `label` is how messages call it. */
export type Reader = (given: unknown, label: string, at: Path) => Reading;

/** The readers of a node's keys; other keys are kept as they are. */
export type Shape = Readonly<Record<string, Reader>>;

const read = (value: unknown, refusals: readonly Refusal[] = []): Reading => ({ value, refusals });

const refusal = (message: string, at: Path, value: unknown): Refusal =>
  value === undefined ? { message, at } : { message, at, value };

const required = (label: string, at: Path, value?: unknown): Refusal =>
  refusal(`${label} is a required field`, at, value);

const mistyped = (label: string, at: Path, type: string, value: unknown, given: unknown): Refusal => ({
  ...wrongType(label, type, value, given ?? value),
  at,
});

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const casts = {
  string: (given: unknown) => (typeof given === 'object' ? given : String(given)),
  boolean: (given: unknown) =>
    /^(true|1)$/i.test(textOf(given)) ? true : /^(false|0)$/i.test(textOf(given)) ? false : given,
  number: (given: unknown) =>
    typeof given === 'string' && given.trim() !== '' ? Number(given) : Number.parseFloat(textOf(given)),
};

interface ScalarOptions {
  readonly required?: boolean;
  readonly nullable?: boolean;
  readonly among?: readonly unknown[];
  /** A message, for a value that passes all else, and for none at all. */
  readonly rule?: (value: unknown) => string | undefined;
}

/** A text, a number or a truth, also where it is spelt as something else. */
export function scalar(type: keyof typeof casts, options: ScalarOptions = {}): Reader {
  const { among, rule } = options;
  return (given, label, at) => {
    if (given === null && options.nullable) return read(null);
    const value = given === undefined ? undefined : casts[type](given);
    const first: Refusal[] = [];
    if (value !== undefined) {
      if (typeof value !== type || Number.isNaN(value)) first.push(mistyped(label, at, type, value, given));
      if (among && !among.includes(value))
        first.push(
          refusal(
            `${label} must be one of the following values: ${among.join(', ')}`,
            at,
            Number.isNaN(value) ? null : value,
          ),
        );
    }
    if (first.length > 0) return read(value, first);
    const message = rule?.(value);
    return read(value, [
      ...(options.required && (value === undefined || value === '') ? [required(label, at, value)] : []),
      ...(message === undefined ? [] : [refusal(message, at, value)]),
    ]);
  };
}

/** A list, each item of which is read; `empty` tells what it must not be without. */
export const listOf =
  (item: Reader, empty?: string): Reader =>
  (given, label, at) => {
    if (given === undefined) return read(given, [required(label, at)]);
    const list = typeof given === 'string' ? parsed(given) : given;
    if (!Array.isArray(list)) return read(null, [mistyped(label, at, 'array', null, given)]);
    if (list.length === 0 && empty !== undefined) return read(list, [refusal(empty, at, list)]);
    // Texts inside may spell lists, too.
    if (at.length > mostBodyLevels)
      return read(null, [refusal(`${label.split('[')[0]} has too many levels`, [], undefined)]);
    const items = list.map((each, index) => item(each, `${label}[${index}]`, [...at, String(index)]));
    const value = items.some((each, index) => each.value !== list[index]) ? items.map((each) => each.value) : list;
    return read(
      value,
      items.flatMap(({ refusals }) => refusals),
    );
  };

/** A node in which something became something else: known keys come first, the last one of its shape ahead. */
function rebuilt(node: Node, shape: Shape, values: ReadonlyMap<string, unknown>): Node {
  const known = Object.keys(shape)
    .reverse()
    .filter((key) => values.get(key) !== undefined)
    .map((key) => [key, values.get(key)]);
  const others = Object.entries(node).filter(([key]) => !Object.hasOwn(shape, key));
  return Object.fromEntries([...known, ...others]) as Node;
}

/** An object with these keys. */
export const nodeOf =
  (shape: Shape): Reader =>
  (given = {}, label, at) => {
    const node = typeof given === 'string' ? parsed(given) : given;
    if (!isNode(node)) return read(null, [mistyped(label, at, 'object', null, given)]);
    const readings = Object.entries(shape).map(
      ([key, reader]) => [key, reader(node[key], `${label}.${key}`, [...at, key])] as const,
    );
    const values = new Map(readings.map(([key, { value }]) => [key, value]));
    const isChanged = readings.some(([key, { value }]) => value !== node[key]);
    return read(
      isChanged ? rebuilt(node, shape, values) : node,
      readings.flatMap(([, { refusals }]) => refusals),
    );
  };

/** A node that is read as its type says. */
export const nodeByType =
  (readers: Readonly<Record<string, Reader>>, unknown: string): Reader =>
  (given, label, at) => {
    const type = isNode(given) ? given['type'] : undefined;
    const reader = typeof type === 'string' && Object.hasOwn(readers, type) ? readers[type] : undefined;
    return reader ? reader(given, label, at) : read(given, [refusal(unknown, at, given)]);
  };
