import {
  type Attribute,
  type Bound,
  type ContentRegistry,
  type ContentType,
  flatMapped,
  grouped,
  type Nested,
  type Row,
  rowId,
  type StoreTransaction,
  type Tie,
} from '../../core';

/** A component with all that it holds. */
export interface PartTree {
  readonly type: ContentType;
  readonly row: Row;
  readonly links: ReadonlyMap<Nested, readonly Tie[]>;
  readonly parts: ReadonlyMap<Nested, readonly PartTree[]>;
}

export interface Reading {
  readonly transaction: StoreTransaction;
  readonly registry: ContentRegistry;
}

export const isPart = ({ storage }: Nested): boolean => storage === 'component' || storage === 'zone';

/** The attributes of a component that hold values of its own. */
export const valuesOf = (type: ContentType): Attribute[] =>
  [...type.attributes.values()].filter(({ system }) => !system);

/** The components that rows hold through one attribute, by row: the statements depend on the depth, not on the rows. */
export async function partTrees(
  type: ContentType,
  nested: Nested,
  owners: readonly number[],
  reading: Reading,
): Promise<Map<number, PartTree[]>> {
  const { transaction, registry } = reading;
  const held = new Map<number, PartTree[]>(owners.map((owner) => [owner, []]));
  const ties = owners.length > 0 ? await transaction.ties(type, nested, owners) : [];
  const trees = new Map<string, PartTree>();
  for (const uid of new Set(ties.map((tie) => tie.uid))) {
    const partType = registry.types.get(uid);
    if (!partType) continue;
    const ids = ties.filter((tie) => tie.uid === uid).map(({ target }) => target);
    for (const [id, tree] of await treesOf(partType, ids, reading)) trees.set(`${uid} ${id}`, tree);
  }
  for (const { owner, target, uid } of ties) {
    const tree = trees.get(`${uid} ${target}`);
    if (tree) held.get(owner)!.push(tree);
  }
  return held;
}

async function treesOf(type: ContentType, ids: readonly number[], reading: Reading): Promise<Map<number, PartTree>> {
  const rows = await reading.transaction.rows(type, { id: ids });
  const links = new Map<Nested, Map<number, Tie[]>>();
  const parts = new Map<Nested, Map<number, PartTree[]>>();
  for (const nested of type.nested.values()) {
    if (isPart(nested)) parts.set(nested, await partTrees(type, nested, ids, reading));
    else
      links.set(
        nested,
        grouped(await reading.transaction.ties(type, nested, ids), ({ owner }) => owner),
      );
  }
  return new Map(
    rows.map((row) => {
      const id = rowId(row);
      const own = [...links].map(([nested, ties]) => [nested, ties.get(id) ?? []] as const);
      const inside = [...parts].map(([nested, trees]) => [nested, trees.get(id)!] as const);
      return [id, { type, row, links: new Map(own), parts: new Map(inside) }];
    }),
  );
}

/** All links in components, at any depth. */
export const tiesIn = (trees: readonly PartTree[]): Tie[] =>
  flatMapped(trees, ({ links, parts }) => [
    ...[...links.values()].flat(),
    ...flatMapped(parts.values(), (inside) => tiesIn(inside)),
  ]);

/** A component as a value to compare: its own values, and its links as `show` has them. */
export function comparable({ type, row, links, parts }: PartTree, show: (tie: Tie) => Bound | undefined): unknown {
  return [
    type.uid,
    valuesOf(type).map(({ name }) => row[name] ?? null),
    [...links.values()].map((ties) => ties.map(show).filter((shown) => shown !== undefined)),
    [...parts.values()].map((trees) => trees.map((tree) => comparable(tree, show))),
  ].map((each) =>
    JSON.parse(JSON.stringify(each, (_key, value) => (typeof value === 'bigint' ? String(value) : value))),
  );
}
