import { flatMapped } from '../../flat-mapped';

/** A row that a body names: by its number, or by its document and what is said about the variant. */
export type Ref = RowRef | DocumentRef;

export interface RowRef {
  readonly id: number;
  /** The type, where a link may lead to rows of any. */
  readonly uid?: string;
}

export interface DocumentRef {
  readonly documentId: string;
  readonly uid?: string;
  /** What stood beside the document's id: dimensions find their parameter here. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Where a connected row goes among those that are linked. */
export type Position =
  | { readonly at: 'start' | 'end' }
  | {
      readonly at: 'before' | 'after';
      readonly anchor: Ref;
      /** As the body has it, for messages. */
      readonly told: Readonly<Record<string, unknown>>;
    };

export interface Placed {
  readonly ref: Ref;
  readonly position: Position;
}

/** What a body wants of one link. */
export type LinkChange = (
  | { readonly set: readonly Ref[]; readonly also?: readonly Ref[] }
  | { readonly connect: readonly Placed[]; readonly disconnect: readonly Ref[] }
) & {
  /** Something in it names nothing. */
  readonly unfit?: boolean;
};

export const isRowRef = (ref: Ref): ref is RowRef => 'id' in ref;

/** Every row that a change names, anchors included, in the order in which they are looked up. */
export function refsOf(change: LinkChange): Ref[] {
  if ('set' in change) return [...(change.also ?? []), ...change.set];
  const placed = flatMapped(change.connect, ({ ref, position }) =>
    'anchor' in position ? [ref, position.anchor] : [ref],
  );
  return [...change.disconnect, ...placed];
}

/** Those that must be there: what is disconnected need not. */
export const demandedRefs = (change: LinkChange): readonly Ref[] =>
  'set' in change ? change.set : change.connect.map(({ ref }) => ref);
