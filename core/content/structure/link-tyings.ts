import type { ContentType } from '../content-type';
import type { Nested } from '../nested';
import type { Tying } from '../store';
import type { Building, Held, Structured } from './building';
import { grouped } from './grouped';
import type { LinkChange, Placed, Ref } from './link-change';
import { changedAttachments, changedOne, changedOrder, type OrderChange } from './link-order';
import { createRowKeys, type RowKeys } from './row-keys';

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

/** What rows are to be tied to through one attribute, after what their inputs say of it. */
export async function linkTyings(
  type: ContentType,
  nested: Nested,
  rows: readonly Structured[],
  held: Held,
  building: Building,
): Promise<Tying[]> {
  const { transaction, rivals } = building;
  const unknown = rows.filter(({ row }) => held(nested, row) === undefined).map(({ row }) => row);
  const ties = grouped(unknown.length > 0 ? await transaction.ties(type, nested, unknown) : [], ({ owner }) => owner);
  const changed = changerOf(nested);
  return rows.map(({ row, input }): Tying => {
    const { change } = input.links.find((link) => link.nested === nested)!;
    const current = held(nested, row) ?? ties.get(row) ?? [];
    const keys = createRowKeys(nested.targets[0]);
    const targets = changed(
      current.map(({ uid, target }) => keys.keyOf(uid, target)),
      rowsIn(change, building, keys),
    );
    return { owner: row, targets: targets.map(keys.tied), rivals, current };
  });
}

function changerOf({ storage, many }: Nested): typeof changedOrder {
  if (storage === 'attached') return changedAttachments(many);
  return many ? changedOrder : changedOne;
}
