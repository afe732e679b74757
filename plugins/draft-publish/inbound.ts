import {
  type ContentRegistry,
  type ContentType,
  grouped,
  type Nested,
  type StoreTransaction,
  type Tie,
  type Tying,
  together,
} from '../../core';
import { placeIn } from './place-in';
import { createTwins, type Twins } from './twins';

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

/** Finds whose published version is to show a link. */
interface Search extends Linking {
  readonly twins: Twins;
  /** Components whose holder was not found, in any reading so far: replaced since, or left behind for good. */
  readonly loose: Set<string>;
}

/** The published counterpart of each component: the one in the same place of its owner's published version. */
async function partTwins(search: Search, part: ContentType, ids: readonly number[]): Promise<Map<number, number>> {
  const { transaction, registry, loose } = search;
  const holders = [...registry.types.values()].flatMap((type) =>
    [...type.nested.values()]
      .filter(({ storage, targets }) => (storage === 'component' || storage === 'zone') && targets.includes(part.uid))
      .map((nested) => ({ type, nested, uid: part.uid, targets: ids })),
  );
  const found = await transaction.tiesOf(holders);
  const holding = new Set(found.flatMap((ties) => ties.map(({ target }) => target)));
  for (const id of ids) if (!holding.has(id)) loose.add(`${part.uid} ${id}`);
  const held = holders.flatMap(({ type, nested }, at) =>
    found[at]!.length > 0 ? [{ source: type, nested, ties: found[at]! }] : [],
  );
  const counterparts = await together(
    held.map(async ({ source, nested, ties }): Promise<[number, number][]> => {
      const owners = [...new Set(ties.map(({ owner }) => owner))];
      const ownerTwins = await sourceTwins(search, source, owners);
      const lists = await listsOf(search, { source, nested }, [...new Set([...owners, ...ownerTwins.values()])]);
      return ties.flatMap(({ owner, target }): [number, number][] => {
        const twin = ownerTwins.get(owner);
        if (twin === undefined || twin === owner) return [];
        const place = lists.get(owner)!.findIndex((tie) => tie.target === target && tie.uid === part.uid);
        if (place < 0) loose.add(`${part.uid} ${target}`);
        const counterpart = lists.get(twin)![place];
        return counterpart?.uid === part.uid ? [[target, counterpart.target]] : [];
      });
    }),
  );
  return new Map(counterparts.flat());
}

/** Whose published version is to show a link: documents by their versions, components by their place. */
function sourceTwins(search: Search, source: ContentType, ids: readonly number[]): Promise<Map<number, number>> {
  return source.modelKind === 'component' ? partTwins(search, source, ids) : search.twins.of(source, ids, 'published');
}

const keyOf = ({ uid, target }: Pick<Tie, 'uid' | 'target'>): string => `${uid} ${target}`;

/** What stands for things in a published version's list: their published versions, where they have one. */
async function publishedKeys({ registry, twins }: Search, ties: readonly Tie[]): Promise<(tie: Tie) => string> {
  const keys = new Map<string, string>();
  for (const [uid, same] of grouped(ties, (tie) => tie.uid)) {
    const type = registry.types.get(uid);
    if (!type) continue;
    const targets = [...new Set(same.map(({ target }) => target))];
    for (const [target, twin] of await twins.of(type, targets, 'published'))
      keys.set(keyOf({ uid, target }), keyOf({ uid, target: twin }));
  }
  return (tie) => keys.get(keyOf(tie)) ?? keyOf(tie);
}

/** A document that is published, by its two rows. */
interface Joining {
  readonly type: ContentType;
  readonly draft: number;
  readonly published: number;
}

/** The links that a document gains by being published, and whether what was read for that fits together. */
interface Gained {
  readonly tyings: readonly (readonly [Inbound, readonly Tying[]])[];
  readonly agree: boolean;
}

async function gainedBy({ type, draft, published }: Joining, search: Search): Promise<Gained> {
  const linked = [...(await linksTo(search, type, [draft, published]))].flatMap(([inbound, ties]) => {
    const owners = new Set(ties.filter(({ target }) => target === draft).map(({ owner }) => owner));
    const holders = new Set(ties.filter(({ target }) => target === published).map(({ owner }) => owner));
    return owners.size > 0 ? [{ inbound, owners: [...owners], holders }] : [];
  });
  const looseBefore = search.loose.size;
  const sources = await together(linked.map(({ inbound, owners }) => sourceTwins(search, inbound.source, owners)));
  let agree = search.loose.size === looseBefore;
  const tyings: [Inbound, Tying[]][] = [];
  for (const [at, { inbound, holders }] of linked.entries()) {
    const joining = new Map([...sources[at]!].filter(([, twin]) => !holders.has(twin)));
    if (joining.size === 0) continue;
    const lists = await listsOf(search, inbound, [...new Set([...joining.keys(), ...joining.values()])]);
    const shown = await publishedKeys(search, [...lists.values()].flat());
    const own: Tying[] = [];
    for (const [owner, twin] of joining) {
      const list = lists.get(twin)!;
      if (!inbound.nested.many && twin !== owner && list.length > 0) continue;
      const model = lists.get(owner)!;
      const place = model.findIndex(({ uid, target }) => uid === type.uid && target === draft);
      if (place < 0) {
        agree = false;
        continue;
      }
      const predecessors = twin === owner ? model.slice(0, place + 1).map(keyOf) : model.slice(0, place).map(shown);
      const to = placeIn(list.map(keyOf), predecessors);
      const targets = [...list.slice(0, to), { target: published, uid: type.uid }, ...list.slice(to)];
      // What has joined it since it was read is left where it is.
      own.push({ owner: twin, targets, current: list });
    }
    if (own.length > 0) tyings.push([inbound, own]);
  }
  return { tyings, agree };
}

/** How often what leads to a document is read while others change it; the last reading has to do. */
const mostReadings = 5;

/**
 * A document that was published appears wherever a draft links it and the draft's published version doesn't yet: in the
 * place that the draft gives it. Whoever writes such a draft meanwhile may put new components in the place of those that were
 * found: then all is read again. A component that nobody holds in a second reading either was left behind, and counts no more.
 */
export async function join(linking: Linking, type: ContentType, draft: number, published: number): Promise<void> {
  const loose = new Set<string>();
  const read = (): Promise<Gained> =>
    gainedBy({ type, draft, published }, { ...linking, twins: createTwins(linking.transaction), loose });
  let gained = await read();
  for (let times = 1; !gained.agree && times < mostReadings; times++) gained = await read();
  for (const [{ source, nested }, tyings] of gained.tyings) await linking.transaction.tie(source, nested, tyings);
}
