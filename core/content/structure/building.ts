import type { ContentRegistry } from '../content-type';
import type { Nested } from '../nested';
import type { RowMatch, StoreTransaction, Tie } from '../store';
import type { Resolved } from './resolve-links';
import type { PartInput, RowInput } from './row-input';

/** A row that is there, and what it is to hold besides its own values. */
export interface Structured {
  readonly row: number;
  readonly input: RowInput;
  /** Added just now: nothing is tied to it yet. */
  readonly isNew: boolean;
}

export interface Building {
  readonly transaction: StoreTransaction;
  readonly registry: ContentRegistry;
  readonly found: Resolved;
  /** What a link that says nothing of a variant is taken to say: parameter → value. */
  readonly assumed?: Readonly<Record<string, string>>;
  /** The rows of the written type that may lose a target to the written ones. */
  readonly rivals?: RowMatch;
  readonly added: Promise<AddedParts>;
}

/** The rows of all components that are new, on whatever level. */
export type AddedParts = ReadonlyMap<PartInput, number>;

/** The ties that a row has now; none for new rows, undefined where they were not looked up. */
export type Held = (nested: Nested, owner: number) => readonly Tie[] | undefined;
