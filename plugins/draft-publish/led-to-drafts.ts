import { type ContentType, chunksOf, rowId } from '../../core';
import { holdersOf, listsOf } from './counterparts';
import { type Inbound, type Linking, linksTo } from './inbound';
import { holdsOne } from './kept-by-column';
import { hasDrafts } from './status';
import { type Version, versionNames, versionOf } from './twins';

/** By row: the version that it belongs to, undefined where there are none. What nobody holds is left out. */
type Belonging = Map<number, Version | undefined>;

async function belongingOfParts(part: ContentType, ids: readonly number[], linking: Linking): Promise<Belonging> {
  const belonging: Belonging = new Map();
  const holders = holdersOf(part, ids, linking.registry);
  const found = await linking.transaction.tiesOf(holders);
  for (const [at, { type }] of holders.entries()) {
    const ties = found[at]!;
    if (ties.length === 0) continue;
    const theirs = await belongingOf(type, [...new Set(ties.map(({ owner }) => owner))], linking);
    for (const { owner, target } of ties) if (theirs.has(owner)) belonging.set(target, theirs.get(owner));
  }
  return belonging;
}

/** Documents are of a version themselves, components of that of what holds them. */
async function belongingOf(type: ContentType, ids: readonly number[], linking: Linking): Promise<Belonging> {
  if (type.modelKind === 'component') return belongingOfParts(type, ids, linking);
  if (!hasDrafts(type.definition)) return new Map(ids.map((id) => [id, undefined]));
  const rows = await linking.transaction.rows(type, { id: ids }, versionNames(type));
  return new Map(rows.map((row) => [rowId(row), versionOf(row)]));
}

/** How many rows, or lists of links, are gone through at once. */
const mostAtOnce = 100;

/** What links these rows from attributes that their type has none for. */
async function ownersOf(
  type: ContentType,
  rows: readonly number[],
  linking: Linking,
): Promise<Map<Inbound, Set<number>>> {
  const owners = new Map<Inbound, Set<number>>();
  for (const some of chunksOf(rows, mostAtOnce))
    for (const [inbound, ties] of await linksTo(linking, type, some)) {
      const own = owners.get(inbound) ?? new Set();
      for (const { owner } of ties) own.add(owner);
      owners.set(inbound, own);
    }
  return owners;
}

/** Makes what leads to published rows lead to their new drafts: of drafts in their place, of what has no versions beside them. */
export async function leadToDrafts(
  type: ContentType,
  drafts: ReadonlyMap<number, number>,
  linking: Linking,
): Promise<void> {
  const { transaction } = linking;
  for (const [inbound, all] of await ownersOf(type, [...drafts.keys()], linking)) {
    const { source, nested } = inbound;
    for (const some of chunksOf([...all], mostAtOnce)) {
      const belonging = await belongingOf(source, some, linking);
      const changing = [...belonging].filter(([, version]) => version === 'draft' || (!version && !holdsOne(nested)));
      const lists = await listsOf(
        linking,
        inbound,
        changing.map(([owner]) => owner),
      );
      const tyings = changing.map(([owner, version]) => {
        const current = lists.get(owner)!;
        const targets = current.flatMap((tie) => {
          const target = tie.uid === type.uid ? drafts.get(tie.target) : undefined;
          if (target === undefined) return [tie];
          return version === 'draft' ? [{ ...tie, target }] : [{ ...tie, target }, tie];
        });
        return { owner, targets, current };
      });
      if (tyings.length > 0) await transaction.tie(source, nested, tyings);
    }
  }
}
