import { flatMapped } from '../../flat-mapped';
import type { ContentType } from '../content-type';
import type { Nested } from '../nested';
import type { Bound } from '../store';
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
    ...each,
    parts: each.parts.map((part) => ({ ...part, input: sameInput(part.input) })),
  }));
  return { values, links, parts: own };
}

/** Every link in an input, those of its components included. */
export function allLinks(input: RowInput): PlacedLink[] {
  return [...input.links, ...flatMapped(input.parts, ({ parts }) => flatMapped(parts, (part) => allLinks(part.input)))];
}
