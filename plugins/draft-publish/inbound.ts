import {
  type ContentRegistry,
  type ContentType,
  type Nested,
  type StoreTransaction,
  type Tie,
  together,
} from '../../core';
import { placeIn } from './place-in';
import { type Twins, twinsBut } from './twins';

/** A nested attribute of another type, or of a component, through which documents of a type are linked. */
interface Inbound {
  readonly source: ContentType;
  readonly nested: Nested;
}

/** The links to some rows, by the attributes that they come from. */
export type InboundTies = ReadonlyMap<Inbound, readonly Tie[]>;

interface Linking {
  readonly transaction: StoreTransaction;
  readonly registry: ContentRegistry;
}

const isLink = ({ storage }: Nested): boolean => storage === 'link' || storage === 'morph';

/** The other side of a link that both types have an attribute for: it is copied with the type itself. */
const isOwnSide = (type: ContentType, source: ContentType, { name, storage, many, definition }: Nested): boolean => {
  const side = (definition['mappedBy'] ?? definition['inversedBy'] ?? definition['morphBy']) as string | undefined;
  const isSide = ({ targets, definition: other }: Nested): boolean =>
    other['morphBy'] === name && targets.includes(source.uid);
  // A morph link to one row is the same from every side; of those to many each side has its own.
  if (storage === 'morph' && !many) return [...type.nested.values()].some(isSide) && isCopied(type, source);
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
  return [...registry.types.values()].flatMap((source) =>
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

/** Ties of the given owners, by owner. */
async function listsOf(
  { transaction }: Linking,
  { source, nested }: Inbound,
  owners: readonly number[],
): Promise<Map<number, Tie[]>> {
  const lists = new Map<number, Tie[]>(owners.map((owner) => [owner, []]));
  if (owners.length > 0)
    for (const tie of await transaction.ties(source, nested, owners)) lists.get(tie.owner)!.push(tie);
  return lists;
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

/** The published counterpart of each component: the one in the same place of its owner's published version. */
async function partTwins(
  linking: Linking,
  twins: Twins,
  part: ContentType,
  ids: readonly number[],
): Promise<Map<number, number>> {
  const { transaction, registry } = linking;
  const holders = [...registry.types.values()].flatMap((type) =>
    [...type.nested.values()]
      .filter(({ storage, targets }) => (storage === 'component' || storage === 'zone') && targets.includes(part.uid))
      .map((nested) => ({ type, nested, uid: part.uid, targets: ids })),
  );
  const found = await transaction.tiesOf(holders);
  const held = holders.flatMap((holder, at) => (found[at]!.length > 0 ? [{ ...holder, ties: found[at]! }] : []));
  const counterparts = await together(
    held.map(async ({ type: source, nested, ties }): Promise<[number, number][]> => {
      const owners = [...new Set(ties.map(({ owner }) => owner))];
      const ownerTwins = await sourceTwins(linking, twins, source, owners);
      const lists = await listsOf(linking, { source, nested }, [...new Set([...owners, ...ownerTwins.values()])]);
      return ties.flatMap(({ owner, target }): [number, number][] => {
        const twin = ownerTwins.get(owner);
        if (twin === undefined || twin === owner) return [];
        const place = lists.get(owner)!.findIndex((tie) => tie.target === target && tie.uid === part.uid);
        const counterpart = lists.get(twin)![place];
        return counterpart?.uid === part.uid ? [[target, counterpart.target]] : [];
      });
    }),
  );
  return new Map(counterparts.flat());
}

/** Whose published version is to show a link: documents by their versions, components by their place. */
function sourceTwins(
  linking: Linking,
  twins: Twins,
  source: ContentType,
  ids: readonly number[],
): Promise<Map<number, number>> {
  return source.modelKind === 'component' ? partTwins(linking, twins, source, ids) : twins(source, ids, 'published');
}

/**
 * A document that was published appears wherever a draft links it and the draft's published version doesn't yet: in the
 * place that the draft gives it.
 */
export async function join(linking: Linking, type: ContentType, draft: number, published: number): Promise<void> {
  const { transaction } = linking;
  const linked = [...(await linksTo(linking, type, [draft, published]))].flatMap(([inbound, ties]) => {
    const owners = new Set(ties.filter(({ target }) => target === draft).map(({ owner }) => owner));
    const holders = new Set(ties.filter(({ target }) => target === published).map(({ owner }) => owner));
    return owners.size > 0 ? [{ inbound, owners: [...owners], holders }] : [];
  });
  const find = twinsBut(undefined, transaction);
  const sources = await together(
    linked.map(({ inbound, owners }) => sourceTwins(linking, find, inbound.source, owners)),
  );
  for (const [at, { inbound, holders }] of linked.entries()) {
    const { source, nested } = inbound;
    const twins = new Map([...sources[at]!].filter(([, twin]) => !holders.has(twin)));
    if (twins.size === 0) continue;
    const owners = [...twins.keys()];
    const lists = await listsOf(linking, inbound, [...new Set([...owners, ...twins.values()])]);
    const targetTwins = await find(
      type,
      [
        ...new Set(
          [...lists.values()]
            .flat()
            .filter(({ uid }) => uid === type.uid)
            .map(({ target }) => target),
        ),
      ],
      'published',
    );
    const tyings = [...twins].flatMap(([owner, twin]) => {
      const list = lists.get(twin)!;
      if (!nested.many && twin !== owner && list.length > 0) return [];
      const targets = lists.get(owner)!.map(({ target }) => target);
      const before = targets
        .slice(0, targets.indexOf(draft) + (twin === owner ? 1 : 0))
        .map((target) => (twin === owner ? target : (targetTwins.get(target) ?? target)));
      const place = placeIn(
        list.map(({ target }) => target),
        before,
      );
      const joined = [...list.slice(0, place), { target: published, uid: type.uid }, ...list.slice(place)];
      // What has joined it since it was read is left where it is.
      return [{ owner: twin, targets: joined, current: list }];
    });
    if (tyings.length > 0) await transaction.tie(source, nested, tyings);
  }
}
