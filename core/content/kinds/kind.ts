import type { ZodType } from 'zod';
import type { AttributeDefinition } from '../definition';
import type { NestedKind } from '../nested';
import type { Bound } from '../store';

/**
 * How a store keeps a value: a closed list, which stores and schema generators map. Kinds are open: a third party's
 * `color` names `string` here and works everywhere.
 */
export const scalarStorages = [
  'string',
  'text',
  'json',
  'date',
  'time',
  'datetime',
  'timestamp',
  'integer',
  'biginteger',
  'float',
  'decimal',
  'boolean',
] as const;
export type ScalarStorage = (typeof scalarStorages)[number];

/** Why a value can't be kept. */
export interface Refusal {
  readonly message: string;
  /** Where inside the value, for structures. */
  readonly at?: readonly string[];
  /** The value as it was understood; absent when there was none. */
  readonly value?: unknown;
}

/**
 * What a check says about a value: what to keep; or what is wrong with it, to be listed with the mistakes of other
 * attributes; or a form that can't be read, which is told alone once nothing else is wrong.
 */
export type Checked =
  | { readonly value: Bound }
  | { readonly refusals: readonly Refusal[] }
  | { readonly unreadable: string };

/** How strict a check is: `complete` for what everyone can see, `sketch` for work in progress. */
export type Strictness = 'complete' | 'sketch';

/** Checks one value of one attribute, never null; made once per attribute, when it is first written. */
export type Check = (value: unknown, label: string, strictness: Strictness) => Checked;

/** Thrown by `toFilter` for what can't be compared with this kind. */
export class UnfitValue extends Error {}

export interface AttributeKind {
  readonly name: string;
  readonly storage: ScalarStorage;
  /** Checks the options that a schema file gives besides the common ones; it receives all of them. */
  readonly options?: ZodType;
  /** Never shown, not even when asked for: passwords. */
  readonly concealed?: boolean;
  /** Can't be filtered or sorted by. */
  readonly opaque?: boolean;
  /** How messages call the type of a null; without it, they say that there is no value. */
  readonly typeName?: string;
  /** Makes the check for written values. */
  check(definition: AttributeDefinition): Check;
  /** Turns what a filter holds into what is stored; throws UnfitValue. */
  toFilter(given: unknown): Bound;
  /** Values may be declared unique, or are so by nature. */
  readonly unique?: boolean;
}

/** An attribute kind that is known, but whose plugin is off: its attributes vanish, openly. */
export interface DormantKind {
  readonly name: string;
  readonly dormant: string;
}

export type KnownKind = AttributeKind | NestedKind | DormantKind;

export const isNested = (kind: KnownKind): kind is NestedKind => 'nested' in kind;

export const isDormant = (kind: KnownKind): kind is DormantKind => 'dormant' in kind;
