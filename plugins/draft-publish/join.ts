import { type ContentType, flatMapped, grouped, type Tie, type Tying, together } from '../../core';
import { listsOf, type Search, sourceTwins } from './counterparts';
import { type Inbound, type Linking, linksTo } from './inbound';
import { keyOf, placeIn } from './place-in';
import { createTwins } from './twins';

/** Of what stands in lists of published versions. */
interface PublishedKeys {
  /** What stands for a thing in a published version's list: its published version, where it has one. */
  of(tie: Tie): string;
  /** Whether what a tie of a published version leads to is there: a column may lead to what was unpublished since. */
  isThere(tie: Tie): boolean;
}

async function publishedKeys({ registry, twins }: Search, ties: readonly Tie[]): Promise<PublishedKeys> {
  const keys = new Map<string, string>();
  for (const [uid, same] of grouped(ties, (tie) => tie.uid)) {
    const type = registry.types.get(uid);
    if (!type) continue;
    const targets = [...new Set(same.map(({ target }) => target))];
    for (const [target, twin] of await twins.of(type, targets, 'published'))
      keys.set(keyOf({ uid, target }), keyOf({ uid, target: twin }));
  }
  return { of: (tie) => keys.get(keyOf(tie)) ?? keyOf(tie), isThere: (tie) => keys.has(keyOf(tie)) };
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

/** What is to show a link, by which it gains it: once each, from its draft if that and the published version itself have the link. */
function joinedFrom(twins: ReadonlyMap<number, number>, holders: ReadonlySet<number>): Map<number, number> {
  const joining = new Map<number, number>();
  for (const [owner, twin] of twins)
    if (!holders.has(twin) && (owner !== twin || !joining.has(twin))) joining.set(twin, owner);
  return joining;
}

async function gainedBy({ type, draft, published }: Joining, search: Search): Promise<Gained> {
  const linked = flatMapped(await linksTo(search, type, [draft, published]), ([inbound, ties]) => {
    const owners = new Set(ties.filter(({ target }) => target === draft).map(({ owner }) => owner));
    const holders = new Set(ties.filter(({ target }) => target === published).map(({ owner }) => owner));
    return owners.size > 0 ? [{ inbound, owners: [...owners], holders }] : [];
  });
  const looseBefore = search.loose.size;
  const sources = await together(linked.map(({ inbound, owners }) => sourceTwins(search, inbound.source, owners)));
  let agree = search.loose.size === looseBefore;
  const tyings: [Inbound, Tying[]][] = [];
  for (const [at, { inbound, holders }] of linked.entries()) {
    const joining = joinedFrom(sources[at]!, holders);
    if (joining.size === 0) continue;
    const lists = await listsOf(search, inbound, [...new Set([...joining.keys(), ...joining.values()])]);
    const shown = await publishedKeys(search, [...lists.values()].flat());
    const own: Tying[] = [];
    for (const [twin, owner] of joining) {
      const current = lists.get(twin)!;
      const list = inbound.nested.many ? current : current.filter(shown.isThere);
      if (!inbound.nested.many && twin !== owner && list.length > 0) continue;
      const model = lists.get(owner)!;
      const place = model.findIndex(({ uid, target }) => uid === type.uid && target === draft);
      if (place < 0) {
        agree = false;
        continue;
      }
      const predecessors = twin === owner ? model.slice(0, place + 1).map(keyOf) : model.slice(0, place).map(shown.of);
      const to = placeIn(list.map(keyOf), predecessors);
      const targets = [...list.slice(0, to), { target: published, uid: type.uid }, ...list.slice(to)];
      // What has joined it since it was read is left where it is.
      own.push({ owner: twin, targets, current });
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
