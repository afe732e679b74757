import { flatMapped } from '../../flat-mapped';
import type { ContentType } from '../content-type';
import type { Nested } from '../nested';
import type { Bound, Row } from '../store';
import type { LinkChange } from './link-change';

/** What a body says about one row: its own values, its links, and the components embedded in it. */
export interface RowInput {
  readonly values: Map<string, Bound>;
  readonly links: PlacedLink[];
  readonly parts: PartsInput[];
}

export interface LinkInput {
  readonly nested: Nested;
  readonly change: LinkChange;
}

/** A link with the place where it stands in the body. */
export interface PlacedLink extends LinkInput {
  readonly label: string;
  readonly path: readonly string[];
}

/** All that a component or zone is to hold, in order. */
export interface PartsInput {
  readonly nested: Nested;
  readonly parts: readonly PartInput[];
}

export interface PartInput {
  readonly type: ContentType;
  /** The component that is there already and is merged with this. */
  readonly id?: number;
  readonly input: RowInput;
}

export const emptyInput = (): RowInput => ({ values: new Map(), links: [], parts: [] });

/** The same said of another row: that holds components of its own. */
export function sameInput({ values, links, parts }: RowInput): RowInput {
  const own = parts.map((each) => ({
    nested: each.nested,
    parts: each.parts.map(({ type, id, input }) => ({ type, id, input: sameInput(input) })),
  }));
  return { values, links, parts: own };
}

/** Values as a row: `Object.fromEntries` of a map takes several times as long. */
export function rowOf(values: ReadonlyMap<string, Bound>): Record<string, Bound> {
  const row: Record<string, Bound> = {};
  for (const [name, value] of values) row[name] = value;
  return row;
}

/** What a row holds, but for one value of its own that is left out, with others in the place of its own or beside them. */
export function rowWith(own: Row, others: Row, out?: string): Record<string, Bound> {
  const row: Record<string, Bound> = {};
  for (const name of Object.keys(own)) if (name !== out) row[name] = own[name]!;
  for (const name of Object.keys(others)) row[name] = others[name]!;
  return row;
}

/** Every link in an input, those of its components included. */
export function allLinks(input: RowInput): PlacedLink[] {
  return [...input.links, ...flatMapped(input.parts, ({ parts }) => flatMapped(parts, (part) => allLinks(part.input)))];
}
