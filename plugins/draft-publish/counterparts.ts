import { type ContentRegistry, type ContentType, flatMapped, isPart, type Tie, together } from '../../core';
import type { Inbound, Linking } from './inbound';
import { hasDrafts } from './status';
import type { Twins } from './twins';

/** Finds whose published version is to show a link. */
export interface Search extends Linking {
  readonly twins: Twins;
  /** Components whose holder was not found, in any reading so far: replaced since, or left behind for good. */
  readonly loose: Set<string>;
}

/** Ties of the given owners, by owner. */
export async function listsOf(
  { transaction }: Linking,
  { source, nested }: Inbound,
  owners: readonly number[],
): Promise<Map<number, Tie[]>> {
  const lists = new Map<number, Tie[]>(owners.map((owner) => [owner, []]));
  if (owners.length > 0)
    for (const tie of await transaction.ties(source, nested, owners)) lists.get(tie.owner)!.push(tie);
  return lists;
}

/** Whether a row that is its own counterpart has no versions: a component is its own only where what holds it has none. */
const hasNoVersions = ({ modelKind, definition }: ContentType): boolean =>
  modelKind === 'component' || !hasDrafts(definition);

/** Where components may be held: the ties to look up. */
export const holdersOf = (part: ContentType, ids: readonly number[], { types }: ContentRegistry) =>
  flatMapped(types.values(), (type) =>
    [...type.nested.values()]
      .filter((nested) => isPart(nested) && nested.targets.includes(part.uid))
      .map((nested) => ({ type, nested, uid: part.uid, targets: ids })),
  );

/**
 * The published counterpart of each component: the one in the same place of its owner's published version. What has no versions
 * shows its components as they are.
 */
async function partTwins(search: Search, part: ContentType, ids: readonly number[]): Promise<Map<number, number>> {
  const { transaction, registry, loose } = search;
  const holders = holdersOf(part, ids, registry);
  const found = await transaction.tiesOf(holders);
  const holding = new Set(flatMapped(found, (ties) => ties.map(({ target }) => target)));
  for (const id of ids) if (!holding.has(id)) loose.add(`${part.uid} ${id}`);
  const held = flatMapped(holders, ({ type, nested }, at) =>
    found[at]!.length > 0 ? [{ source: type, nested, ties: found[at]! }] : [],
  );
  const counterparts = await together(
    held.map(async ({ source, nested, ties }): Promise<[number, number][]> => {
      const owners = [...new Set(ties.map(({ owner }) => owner))];
      const ownerTwins = await sourceTwins(search, source, owners);
      const paired = [...ownerTwins].filter(([owner, twin]) => owner !== twin);
      const lists = await listsOf(search, { source, nested }, [...new Set(paired.flat())]);
      return flatMapped(ties, ({ owner, target }): [number, number][] => {
        const twin = ownerTwins.get(owner);
        if (twin === undefined) return [];
        if (twin === owner) return hasNoVersions(source) ? [[target, target]] : [];
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
export function sourceTwins(search: Search, source: ContentType, ids: readonly number[]): Promise<Map<number, number>> {
  return source.modelKind === 'component' ? partTwins(search, source, ids) : search.twins.of(source, ids, 'published');
}
