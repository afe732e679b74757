import { type ContentType, grouped, rowId } from '../../core';
import { holdersOf, listsOf } from './counterparts';
import { type Linking, linksTo } from './inbound';
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

/** Makes what leads to published rows lead to their new drafts: of drafts in their place, of what has no versions beside them. */
export async function leadToDrafts(
  type: ContentType,
  drafts: ReadonlyMap<number, number>,
  linking: Linking,
): Promise<void> {
  for (const [inbound, ties] of await linksTo(linking, type, [...drafts.keys()])) {
    if (ties.length === 0) continue;
    const { source, nested } = inbound;
    const belonging = await belongingOf(source, [...grouped(ties, ({ owner }) => owner).keys()], linking);
    // A column has room for one.
    const holdsBoth = nested.definition['useJoinTable'] !== false;
    const changing = [...belonging].filter(([, version]) => version === 'draft' || (!version && holdsBoth));
    const owners = changing.map(([owner]) => owner);
    const lists = await listsOf(linking, inbound, owners);
    const tyings = changing.map(([owner, version]) => {
      const current = lists.get(owner)!;
      const targets = current.flatMap((tie) => {
        const target = tie.uid === type.uid ? drafts.get(tie.target) : undefined;
        if (target === undefined) return [tie];
        return version === 'draft' ? [{ ...tie, target }] : [{ ...tie, target }, tie];
      });
      return { owner, targets, current };
    });
    if (tyings.length > 0) await linking.transaction.tie(source, nested, tyings);
  }
}
