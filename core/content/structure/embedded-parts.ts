import { HeddleError } from '../../errors';
import { flatMapped, flattened } from '../../flat-mapped';
import { together } from '../../together';
import type { ContentRegistry, ContentType } from '../content-type';
import type { Nested } from '../nested';
import type { NestedTyings, StoreTransaction, Tying } from '../store';
import type { AddedParts, Building, Held, Structured } from './building';
import { grouped } from './grouped';
import type { RowsOfTypes } from './remove-rows';
import { type PartInput, type RowInput, rowOf } from './row-input';

/** The peer answers for a zone with an error of no particular kind. */
const foreign = ({ name, storage }: Nested): HeddleError => {
  const message = `Some of the provided components in ${name} are not related to the entity`;
  return storage === 'zone' ? new HeddleError('Error', message) : new HeddleError('ApplicationError', message, {});
};

/** A component is merged only with one that its row holds already. */
export function refuseForeign(embedded: readonly Embedded[], held: Held, nested: Nested): void {
  const isHeld = ({ owner, part: { id, type } }: Embedded): boolean =>
    (held(nested, owner) ?? []).some(({ target, uid }) => target === id && uid === type.uid);
  if (embedded.some((each) => each.part.id !== undefined && !isHeld(each))) throw foreign(nested);
}

/** A component that is named twice is there once, with what was said of it last. */
function onceEach(parts: readonly PartInput[]): readonly PartInput[] {
  if (parts.every(({ id }) => id === undefined)) return parts;
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

/** A component, and the row and attribute that it is in. */
export interface Embedded {
  readonly owner: number;
  readonly nested: Nested;
  readonly part: PartInput;
  readonly row: number;
}

export function embeddedIn({ row, input }: Structured, nested: Nested, added: AddedParts): Embedded[] {
  const parts = input.parts.find((each) => each.nested === nested)?.parts ?? [];
  return onceEach(parts).map((part) => ({ owner: row, nested, part, row: part.id ?? added.get(part)! }));
}

/** Adds the components that are new, at any depth, with one statement for each type: only ties tell what holds them. */
export async function addParts(inputs: readonly RowInput[], transaction: StoreTransaction): Promise<AddedParts> {
  const fresh: PartInput[][] = [];
  for (let level = inputs; level.length > 0; ) {
    const parts = flatMapped(level, (input) => flatMapped(input.parts, (each) => onceEach(each.parts)));
    fresh.push(parts.filter(({ id }) => id === undefined));
    level = parts.map(({ input }) => input);
  }
  const added = new Map<PartInput, number>();
  const addAll = async (type: ContentType, parts: readonly PartInput[]): Promise<void> => {
    const rows = parts.map(({ input }) => rowOf(input.values));
    const ids = await transaction.insert(type, rows);
    for (const [at, part] of parts.entries()) added.set(part, ids[at]!);
  };
  await together([...grouped(flattened(fresh), ({ type }) => type)].map(([type, parts]) => addAll(type, parts)));
  return added;
}

/** Changes the components that were there before. */
export async function changeParts(embedded: readonly Embedded[], { transaction }: Building): Promise<void> {
  for (const { part } of embedded) {
    if (part.id !== undefined && part.input.values.size > 0)
      await transaction.update(part.type, { id: part.id }, rowOf(part.input.values));
  }
}

/** The components that rows held and no longer hold. */
export function droppedParts(
  owners: readonly Owner[],
  embedded: readonly Embedded[],
  held: Held,
  { types }: ContentRegistry,
): RowsOfTypes {
  const before = flatMapped(owners, ({ nested, row }) => held(nested, row) ?? []);
  const dropped = new Map<ContentType, readonly number[]>();
  if (before.length === 0) return dropped;
  const kept = new Set(embedded.map(({ row, part }) => `${part.type.uid} ${row}`));
  for (const [uid, ties] of grouped(before, (tie) => tie.uid)) {
    const gone = ties.filter(({ target }) => !kept.has(`${uid} ${target}`)).map(({ target }) => target);
    const type = types.get(uid);
    if (type && gone.length > 0) dropped.set(type, gone);
  }
  return dropped;
}

/** A row whose input says what an attribute of its embeds. */
export interface Owner {
  readonly nested: Nested;
  readonly row: number;
}

/** What rows are to be tied to, that is the components they embed. */
export function partTyings(
  type: ContentType,
  owners: readonly Owner[],
  embedded: readonly Embedded[],
  held: Held,
): NestedTyings[] {
  const byNested = grouped(embedded, ({ nested }) => nested);
  return [...grouped(owners, ({ nested }) => nested)].map(([nested, rows]) => {
    const byOwner = grouped(byNested.get(nested) ?? [], ({ owner }) => owner);
    const tyings = rows.map(({ row }): Tying => {
      const targets = (byOwner.get(row) ?? []).map((each) => ({ target: each.row, uid: each.part.type.uid }));
      return { owner: row, targets, current: held(nested, row) };
    });
    return { type, nested, tyings };
  });
}
