import type { ContentType } from '../content-type';
import type { Row } from '../store';
import type { AddedParts } from './building';
import type { RowsOfTypes } from './remove-rows';
import { type RowInput, rowOf } from './row-input';

/** A row that was added as a copy of another, when that was added; nothing is tied to it yet. */
export interface TwinRow {
  readonly id: number;
  /** What it was given. */
  readonly row: Row;
}

/** The twins of a row and of its components, at any depth: by type and original. */
export type TwinRows = ReadonlyMap<ContentType, ReadonlyMap<number, TwinRow>>;

/** What was added as a copy of a new row, at once with that. */
export interface Twin {
  /** The values of its own that the copy has. */
  readonly values: Row;
  readonly rows: TwinRows;
}

/** The twins of components that were added for two inputs which say the same. */
export function twinsOfParts(input: RowInput, same: RowInput, added: AddedParts): TwinRows {
  const twins = new Map<ContentType, Map<number, TwinRow>>();
  function collect(one: RowInput, other: RowInput): void {
    for (const [at, { parts }] of one.parts.entries())
      for (const [index, part] of parts.entries()) {
        const twin = other.parts[at]!.parts[index]!;
        const own = twins.get(part.type) ?? new Map<number, TwinRow>();
        twins.set(part.type, own);
        own.set(added.get(part)!, { id: added.get(twin)!, row: rowOf(twin.input.values) });
        collect(part.input, twin.input);
      }
  }
  collect(input, same);
  return twins;
}

/** Whether a row is to hold something else than it was given. */
export const differs = (wanted: Row, given: Row): boolean =>
  Object.keys(wanted).some((name) => wanted[name] !== (given[name] ?? null));

/** Those of the twins that are not among the rows which took their place. */
export function unusedTwins(twins: TwinRows, used: ReadonlyMap<ContentType, ReadonlySet<number>>): RowsOfTypes {
  const unused = new Map<ContentType, number[]>();
  for (const [type, own] of twins) {
    const ids = [...own.values()].map(({ id }) => id).filter((id) => !used.get(type)?.has(id));
    if (ids.length > 0) unused.set(type, ids);
  }
  return unused;
}
