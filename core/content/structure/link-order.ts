import { type HeddleError, validationError } from '../../errors';
import { flatMapped, flattened } from '../../flat-mapped';
import { PlacedList } from './placed-list';
import { rowOfKey } from './row-keys';

// Pure: rows are numbers here, told apart by their keys, and what a body names has been found already.

/** A body names documents; each may come to several rows, which stay together. */
export type Rows = readonly number[];

export interface PlacedRows {
  readonly rows: Rows;
  readonly position: { readonly at: 'start' | 'end' } | AnchoredPosition;
}

export interface AnchoredPosition {
  readonly at: 'before' | 'after';
  readonly anchor: Rows;
  /** As messages show it, but for the anchor. */
  readonly told?: Readonly<Record<string, unknown>>;
}

export type OrderChange =
  | { readonly set: readonly Rows[] }
  | { readonly connect: readonly PlacedRows[]; readonly disconnect: readonly Rows[] };

const circular = (): HeddleError =>
  validationError(
    'A circular reference was found in the connect array. One relation is trying to connect before/after another one that is trying to connect before/after it',
  );

function unconnected(row: number | undefined, { at, anchor: [anchor], told }: AnchoredPosition): HeddleError {
  const [own, other] = [row, anchor].map((key) => key && rowOfKey(key));
  const position = JSON.stringify({ ...told, [at]: other });
  return validationError(
    `There was a problem connecting relation with id ${own} at position ${position}. The relation with id ${other} needs to be connected first.`,
  );
}

const twice = (row: number): HeddleError =>
  validationError(
    `The relation with id ${rowOfKey(row)} is already connected. You cannot connect the same relation twice.`,
  );

const overlaps = (a: Rows, b: Rows): boolean => a.some((row) => b.includes(row));

/** Connections in written order, but each behind the one that its anchor waits for; one that is linked already waits for none. */
function afterTheirAnchors(connect: readonly PlacedRows[], linked: ReadonlySet<number>): PlacedRows[] {
  const byRow = new Map<number, PlacedRows>();
  for (const placed of connect) for (const row of placed.rows) byRow.set(row, placed);
  const done = new Set<PlacedRows>();
  const open = new Set<PlacedRows>();
  const sorted: PlacedRows[] = [];

  function awaited({ position }: PlacedRows): PlacedRows | undefined {
    if (!('anchor' in position) || position.anchor.some((row) => linked.has(row))) return undefined;
    return byRow.get(position.anchor.find((row) => byRow.has(row)) ?? -1);
  }

  // Chains of anchors may be as long as the list: they are followed without recursion.
  function visit(first: PlacedRows): void {
    const chain: PlacedRows[] = [];
    let next: PlacedRows | undefined = first;
    while (next && !done.has(next)) {
      if (open.has(next)) throw circular();
      open.add(next);
      chain.push(next);
      next = awaited(next);
    }
    for (const placed of chain.reverse()) {
      done.add(placed);
      sorted.push(placed);
    }
  }
  for (const placed of connect) visit(placed);
  return sorted;
}

function place(list: PlacedList, { rows, position }: PlacedRows): void {
  list.remove(rows);
  if ('anchor' in position) {
    if (!list.place(rows, position.at, position.anchor)) throw unconnected(rows[0], position);
  } else if (position.at === 'start') list.prepend(rows);
  else list.append(rows);
}

const isAppended = ({ position }: PlacedRows): boolean => position.at === 'end';

/**
 * The linked rows of a list after a change: what is connected goes to its place, also if it is linked already, and what is
 * disconnected leaves; until then it can be an anchor.
 */
export function changedOrder(current: Rows, change: OrderChange): number[] {
  if ('set' in change) return [...new Set(flattened(change.set))];
  const { connect, disconnect } = change;
  const connected = flatMapped(connect, ({ rows }) => rows);
  const coming = new Set(connected);
  if (coming.size < connected.length) throw twice(connected.find((row, at) => connected.indexOf(row) < at)!);
  const leaving = new Set(flattened(disconnect).filter((row) => !coming.has(row)));
  // Where all go to the end, nothing needs to be looked up: long lists stay cheap.
  if (connect.every(isAppended))
    return [...current.filter((row) => !leaving.has(row) && !coming.has(row)), ...connected];
  const list = new PlacedList(current);
  for (const placed of afterTheirAnchors(connect, new Set(current))) {
    const { rows, position } = placed;
    if ('anchor' in position && overlaps(position.anchor, rows)) throw circular();
    place(list, placed);
  }
  return [...list].filter((row) => !leaving.has(row));
}

/**
 * What is attached after a change, in order: what comes goes to the end, and positions are not looked at. An attribute for
 * one thing keeps the first.
 */
export function changedAttachments(many: boolean): typeof changedOrder {
  return (current, change) => {
    const list = 'set' in change ? flattened(change.set) : attachedTo(current, change);
    const all = [...new Set(list)];
    return many ? all : all.slice(0, 1);
  };
}

function attachedTo(current: Rows, { connect, disconnect }: Exclude<OrderChange, { set: unknown }>): number[] {
  const coming = flatMapped(connect, ({ rows }) => rows);
  const leaving = new Set([...flattened(disconnect), ...coming]);
  return [...current.filter((row) => !leaving.has(row)), ...coming];
}

/** The rows of the one document that a to-one link leads to: of several connections the last counts. */
export function changedOne(current: Rows, change: OrderChange): number[] {
  if ('set' in change) return [...(change.set.at(-1) ?? [])];
  const { connect, disconnect } = change;
  const last = connect.at(-1);
  if (last) return [...last.rows];
  const leaving = new Set(flattened(disconnect));
  return current.filter((row) => !leaving.has(row));
}
