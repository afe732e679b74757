import { HeddleError } from '../../errors';
import type { ContentRegistry, ContentType } from '../content-type';
import type { Nested } from '../nested';
import type { RowMatch, StoreTransaction, Tie, Tying } from '../store';
import { grouped } from './grouped';
import type { LinkChange, Placed, Ref } from './link-change';
import { changedAttachments, changedOne, changedOrder, type OrderChange } from './link-order';
import { removeRows } from './remove-rows';
import type { Resolved } from './resolve-links';
import type { PartInput, PartsInput, RowInput } from './row-input';
import { createRowKeys, type RowKeys } from './row-keys';

/** A row that is there, and what it is to hold besides its own values. */
export interface Structured {
  readonly row: number;
  readonly input: RowInput;
  /** Added just now: nothing is tied to it yet. */
  readonly isNew: boolean;
}

export interface Building {
  readonly transaction: StoreTransaction;
  readonly registry: ContentRegistry;
  readonly found: Resolved;
  /** What a link that says nothing of a variant is taken to say: parameter → value. */
  readonly assumed?: Readonly<Record<string, string>>;
  /** The rows of the written type that may lose a target to the written ones. */
  readonly rivals?: RowMatch;
}

/** Ties links and writes components, level by level: the statements depend on the depth, not on the number of rows. */
export async function applyStructure(
  type: ContentType,
  rows: readonly Structured[],
  building: Building,
): Promise<void> {
  for (const nested of type.nested.values()) {
    const linked = rows.filter(({ input }) => input.links.some((link) => link.nested === nested));
    if (linked.length > 0) await applyLinks(type, nested, linked, building);
  }
  const below: (Structured & { readonly type: ContentType })[] = [];
  for (const nested of type.nested.values()) {
    const embedding = rows.filter(({ input }) => input.parts.some((parts) => parts.nested === nested));
    if (embedding.length > 0) below.push(...(await applyParts(type, nested, embedding, building)));
  }
  for (const [partType, parts] of grouped(below, (part) => part.type))
    await applyStructure(partType, parts, { ...building, rivals: undefined });
}

async function tiesOf(
  type: ContentType,
  nested: Nested,
  rows: readonly Structured[],
  { transaction }: Building,
): Promise<Map<number, Tie[]>> {
  const old = rows.filter(({ isNew }) => !isNew).map(({ row }) => row);
  return grouped(old.length > 0 ? await transaction.ties(type, nested, old) : [], ({ owner }) => owner);
}

function rowsIn(change: LinkChange, { found, assumed = {} }: Building, keys: RowKeys): OrderChange {
  const rowsOf = (ref: Ref): readonly number[] => (found.get(ref) ?? []).map((row) => keys.keyOf(ref.uid ?? '', row));
  if ('set' in change) return { set: change.set.map(rowsOf) };
  const told = ({ ref, position }: Placed, given: object): Readonly<Record<string, unknown>> => {
    const said = { ...('parameters' in ref && ref.parameters), ...('told' in position && position.told) };
    return { ...given, ...Object.fromEntries(Object.entries(assumed).filter(([name]) => !(name in said))) };
  };
  return {
    connect: change.connect.map((placed) => {
      const { ref, position } = placed;
      const rows = rowsOf(ref);
      if (!('anchor' in position)) return { rows, position };
      return { rows, position: { ...position, anchor: rowsOf(position.anchor), told: told(placed, position.told) } };
    }),
    disconnect: change.disconnect.map(rowsOf),
  };
}

async function applyLinks(
  type: ContentType,
  nested: Nested,
  rows: readonly Structured[],
  building: Building,
): Promise<void> {
  const { transaction, rivals } = building;
  const ties = await tiesOf(type, nested, rows, building);
  const changed = changerOf(nested);
  const tyings = rows.map(({ row, input }): Tying => {
    const { change } = input.links.find((link) => link.nested === nested)!;
    const current = ties.get(row) ?? [];
    const keys = createRowKeys(nested.targets[0]);
    const targets = changed(
      current.map(({ uid, target }) => keys.keyOf(uid, target)),
      rowsIn(change, building, keys),
    );
    return { owner: row, targets: targets.map(keys.tied), rivals };
  });
  await transaction.tie(type, nested, tyings);
}

function changerOf({ storage, many }: Nested): typeof changedOrder {
  if (storage === 'attached') return changedAttachments(many);
  return many ? changedOrder : changedOne;
}

/** The peer answers for a zone with an error of no particular kind. */
const foreign = ({ name, storage }: Nested): HeddleError => {
  const message = `Some of the provided components in ${name} are not related to the entity`;
  return storage === 'zone' ? new HeddleError('Error', message) : new HeddleError('ApplicationError', message, {});
};

/** A component is merged only with one that its row holds already. */
function refuseForeign(embedded: readonly Embedded[], ties: ReadonlyMap<number, Tie[]>, nested: Nested): void {
  const own = new Set([...ties.values()].flat().map(({ owner, target, uid }) => `${owner} ${uid} ${target}`));
  for (const { owner, part } of embedded)
    if (part.id !== undefined && !own.has(`${owner} ${part.type.uid} ${part.id}`)) throw foreign(nested);
}

/** A component that is named twice is there once, with what was said of it last. */
function onceEach(parts: readonly PartInput[]): PartInput[] {
  const once = new Map<unknown, PartInput>();
  for (const part of parts) {
    const key = part.id === undefined ? part : `${part.type.uid} ${part.id}`;
    const before = once.get(key);
    once.set(key, before ? { ...part, input: bothInputs(before.input, part.input) } : part);
  }
  return [...once.values()];
}

function bothInputs(first: RowInput, last: RowInput): RowInput {
  const isSaidAgain = (said: readonly { nested: Nested }[], { nested }: { nested: Nested }): boolean =>
    said.some((each) => each.nested === nested);
  return {
    values: new Map([...first.values, ...last.values]),
    links: [...first.links.filter((link) => !isSaidAgain(last.links, link)), ...last.links],
    parts: [...first.parts.filter((parts) => !isSaidAgain(last.parts, parts)), ...last.parts],
  };
}

interface Embedded {
  readonly owner: number;
  readonly part: PartInput;
  row: number;
}

async function applyParts(
  type: ContentType,
  nested: Nested,
  rows: readonly Structured[],
  building: Building,
): Promise<(Structured & { readonly type: ContentType })[]> {
  const { transaction, registry } = building;
  const ties = await tiesOf(type, nested, rows, building);
  const embedded = rows.flatMap(({ row, input }) =>
    onceEach(partsIn(input, nested).parts).map((part): Embedded => ({ owner: row, part, row: part.id ?? 0 })),
  );
  refuseForeign(embedded, ties, nested);
  await insertParts(embedded, transaction);
  for (const { part } of embedded) {
    if (part.id !== undefined && part.input.values.size > 0)
      await transaction.update(part.type, { id: part.id }, Object.fromEntries(part.input.values));
  }
  const held = grouped(embedded, ({ owner }) => owner);
  const tyings = rows.map(({ row }): Tying => {
    const targets = (held.get(row) ?? []).map((each) => ({ target: each.row, uid: each.part.type.uid }));
    return { owner: row, targets };
  });
  await transaction.tie(type, nested, tyings);
  const kept = new Set(embedded.map(({ row, part }) => `${part.type.uid} ${row}`));
  const dropped = [...ties.values()].flat().filter(({ target, uid }) => !kept.has(`${uid} ${target}`));
  for (const [uid, gone] of grouped(dropped, (tie) => tie.uid)) {
    const partType = registry.types.get(uid);
    if (partType)
      await removeRows(
        partType,
        gone.map(({ target }) => target),
        { transaction, registry },
      );
  }
  return embedded.map(({ row, part }) => ({ type: part.type, row, input: part.input, isNew: part.id === undefined }));
}

const partsIn = (input: RowInput, nested: Nested): PartsInput => input.parts.find((parts) => parts.nested === nested)!;

async function insertParts(embedded: readonly Embedded[], transaction: StoreTransaction): Promise<void> {
  const added = embedded.filter(({ part }) => part.id === undefined);
  for (const [type, parts] of grouped(added, ({ part }) => part.type)) {
    const rows = parts.map(({ part }) => Object.fromEntries(part.input.values));
    const ids = await transaction.insert(type, rows);
    for (const [index, part] of parts.entries()) part.row = ids[index]!;
  }
}
