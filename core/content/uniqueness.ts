import { flatMapped } from '../flat-mapped';
import type { Attribute } from './attribute';
import type { ContentRegistry, ContentType } from './content-type';
import type { Nested } from './nested';
import type { Chosen } from './query/choices';
import { rowId } from './row-id';
import type { Bound, Row, StoreTransaction, Tie } from './store';
import { grouped } from './structure/grouped';
import { issueAt, type Spot } from './structure/part-input';
import type { Findings } from './validator';

/** A value that must be the only one of its kind, and where the body has it. */
export interface Claim {
  readonly type: ContentType;
  readonly attribute: Attribute;
  readonly value: Bound;
  readonly given: unknown;
  readonly spot: Spot;
  /** How many mistakes were found before it. */
  readonly after: number;
}

/** The document that makes the claims, and the rows among which they must hold. */
export interface Realm {
  readonly type: ContentType;
  readonly documentId: string;
  readonly rivals: readonly Chosen[];
  readonly transaction: StoreTransaction;
  readonly registry: ContentRegistry;
}

const takenMessage = 'This attribute must be unique';

/** A component's value is unique in its place: the same way from the document, whatever the entries on it. */
const placeOf = ({ type, attribute, spot: { way } }: Claim): string =>
  [...way.map(({ name }) => name), ...(way.at(-1)?.storage === 'zone' ? [type.uid] : []), attribute.name].join('.');

const isZone = ({ storage }: Nested): boolean => storage === 'zone';

/** Entries of a zone are compared with each other only, and what is inside of them with nothing. */
const isStored = ({ spot: { way } }: Claim): boolean => !way.some(isZone);
const isListed = ({ spot: { way } }: Claim): boolean => !way.slice(0, -1).some(isZone);

/** The values of the rows that ties lead up to. */
function valuesAbove<Value>(ties: readonly Tie[], below: ReadonlyMap<number, readonly Value[]>): Map<number, Value[]> {
  const owned = grouped(ties, ({ owner }) => owner);
  return new Map([...owned].map(([owner, own]) => [owner, flatMapped(own, ({ target }) => below.get(target) ?? [])]));
}

/** Those of the values that another document has in the same place. */
async function heldElsewhere(
  { type, attribute, spot: { way } }: Claim,
  values: readonly Bound[],
  { type: root, documentId, rivals, transaction, registry }: Realm,
): Promise<Set<Bound>> {
  const valueIn = (row: Row): Bound => row[attribute.name] ?? null;
  const isOther = (row: Row): boolean => row['documentId'] !== documentId;
  const [first] = way;
  if (!first) {
    const rows = await transaction.holding(type, attribute, values, { where: rivals });
    return new Set(rows.filter(isOther).map(valueIn));
  }
  const rows = await transaction.holding(type, attribute, values, {});
  let held: Map<number, Bound[]> = new Map(rows.map((row) => [rowId(row), [valueIn(row)]]));
  for (let at = way.length - 1; at >= 0 && held.size > 0; at--) {
    const holder = at === 0 ? root : registry.get(way[at - 1]!.targets[0]!);
    held = valuesAbove(await transaction.tiesTo(holder, way[at]!, way[at]!.targets[0]!, [...held.keys()]), held);
  }
  if (held.size === 0) return new Set();
  const owners = await transaction.rows(root, { id: [...held.keys()], where: rivals }, ['id', 'documentId']);
  return new Set(flatMapped(owners.filter(isOther), (row) => held.get(rowId(row))!));
}

/**
 * Adds what must be unique and is not to the mistakes, where each stands among them. Who claims a value waits for the
 * others that do.
 */
export async function refuseTaken(findings: Findings, realm: Realm): Promise<void> {
  const { claims, issues } = findings;
  if (claims.length === 0) return;
  const keys = claims.filter(isStored).map((claim) => `${realm.type.uid} ${placeOf(claim)} ${claim.value}`);
  await realm.transaction.lock(...new Set(keys));
  const taken = new Set<Claim>();
  for (const group of grouped(claims, placeOf).values()) {
    const [first] = group as [Claim, ...Claim[]];
    const values = grouped(group, ({ value }) => value);
    const elsewhere = isStored(first) ? await heldElsewhere(first, [...values.keys()], realm) : new Set();
    for (const [value, same] of values)
      if (elsewhere.has(value) || (same.length > 1 && isListed(first))) for (const claim of same) taken.add(claim);
  }
  // From the last to the first, so that places found before still hold.
  for (const claim of [...claims].reverse())
    if (taken.has(claim))
      issues.splice(claim.after, 0, issueAt(claim.spot, { message: takenMessage, value: claim.given }));
}
