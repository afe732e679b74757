import {
  type ContentRegistry,
  type ContentType,
  flatMapped,
  type Nested,
  type StoreTransaction,
  type Tie,
} from '../../core';

/** A nested attribute of another type, or of a component, through which documents of a type are linked. */
export interface Inbound {
  readonly source: ContentType;
  readonly nested: Nested;
}

/** The links to some rows, by the attributes that they come from. */
export type InboundTies = ReadonlyMap<Inbound, readonly Tie[]>;

export interface Linking {
  readonly transaction: StoreTransaction;
  readonly registry: ContentRegistry;
}

export const isLink = ({ storage }: Nested): boolean => storage === 'link' || storage === 'morph';

/** The other side of a link that both types have an attribute for: it is copied with the type itself. */
const isOwnSide = (type: ContentType, source: ContentType, { name, storage, many, definition }: Nested): boolean => {
  const side = (definition['mappedBy'] ?? definition['inversedBy'] ?? definition['morphBy']) as string | undefined;
  const isSide = ({ targets, definition: other }: Nested): boolean =>
    other['morphBy'] === name && targets.includes(source.uid);
  // A morph link to one row is the same from every side; of those to many each side has its own.
  if (storage === 'morph' && !many) return [...type.nested.values()].some(isSide) && isCopied(type, source);
  // A column holds one row: where the linking documents have fewer versions, it leads to one of the linked document's.
  if (definition['useJoinTable'] === false && definition['inversedBy'] !== undefined && !isCopied(type, source))
    return false;
  return side !== undefined && type.nested.has(side);
};

/** Where the linking documents have as many versions, a version's links are copied with it from either side. */
const isCopied = (type: ContentType, source: ContentType): boolean =>
  type.dimensions.every((dimension) => source.dimensions.includes(dimension));

/** What such a type is attached to keeps the link in an attribute of its own, which is copied with it. */
const isAttachable = ({ uid }: ContentType, registry: ContentRegistry): boolean =>
  [...registry.types.values()].some(({ nested }) =>
    [...nested.values()].some(({ storage, targets }) => storage === 'attached' && targets.includes(uid)),
  );

const found = new WeakMap<ContentType, readonly Inbound[]>();

/** The attributes of other types and components that lead to a type, and that it has no attribute of its own for. */
function inboundOf(type: ContentType, registry: ContentRegistry): readonly Inbound[] {
  const known = found.get(type) ?? inboundIn(registry, type);
  found.set(type, known);
  return known;
}

function inboundIn(registry: ContentRegistry, type: ContentType): Inbound[] {
  return flatMapped(registry.types.values(), (source) =>
    [...source.nested.values()]
      .filter(
        (nested) =>
          isLink(nested) &&
          !(nested.storage === 'morph' && isAttachable(source, registry)) &&
          (nested.targets.length === 0 || nested.targets.includes(type.uid)) &&
          !isOwnSide(type, source, nested),
      )
      .map((nested) => ({ source, nested })),
  );
}

/** What links these rows from attributes that their type has none for, all looked up in one go. */
export async function linksTo(linking: Linking, type: ContentType, rows: readonly number[]): Promise<InboundTies> {
  const inbound = inboundOf(type, linking.registry);
  const sought = inbound.map(({ source, nested }) => ({ type: source, nested, uid: type.uid, targets: rows }));
  const found = sought.length > 0 ? await linking.transaction.tiesOf(sought) : [];
  return new Map(inbound.map((each, at) => [each, found[at]!]));
}

/** Lets everything that links one row of a type link another instead, in its place. */
export async function repoint(
  { transaction }: Linking,
  type: ContentType,
  links: InboundTies,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  for (const [{ source, nested }, ties] of links) {
    const change = { uid: type.uid, from, to, mayBeBoth: ties.some(({ target }) => target === to) };
    if (ties.some(({ target }) => target === from)) await transaction.retie(source, nested, change);
  }
}
