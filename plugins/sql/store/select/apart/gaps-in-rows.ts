import type { Rows } from '../../../database/database';
import { gapMark } from '../../../dialects/apart';
import { tooLarge } from '../joined-texts';
import type { Gap } from './gaps';
import { GrowingBytes } from './growing-bytes';

/** The number of a gap, 0 for the documents, the id of the row that a text belongs to, its own, the text, and what orders it. */
type TextRow = readonly [
  gap: number | null,
  owner: number | null,
  id: number | null,
  text: Buffer | null,
  first: number | null,
  second: number | null,
];

/** Those that are null come first. */
const compared = (one: number | null, other: number | null): number =>
  one === other ? 0 : (one ?? Number.NEGATIVE_INFINITY) - (other ?? Number.NEGATIVE_INFINITY);

/** Of what belongs to the same row. */
const inOrder = (one: TextRow, other: TextRow): number => compared(one[4], other[4]) || compared(one[5], other[5]);

const grouped = (one: TextRow, other: TextRow): number =>
  compared(one[0], other[0]) || compared(one[1], other[1]) || inOrder(one, other);

const belongTogether = (one: TextRow, other: TextRow): boolean => one[0] === other[0] && one[1] === other[1];

/** By the numbers of gaps and by ids, where those begin that belong together. */
type Starts = readonly Map<number | null, number>[];

/** Nothing where those that belong together are apart, or mixed up. */
function startsOf(rows: readonly TextRow[], gaps: readonly Gap[]): Starts | undefined {
  const starts: Starts = [new Map(), ...gaps.map(() => new Map())];
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!;
    if (row[0] === null) {
      if (row[3] === null) throw tooLarge();
      continue;
    }
    const before = rows[at - 1];
    if (before && belongTogether(before, row)) {
      if (inOrder(before, row) > 0) return undefined;
      continue;
    }
    const byOwner = starts[row[0]]!;
    if (byOwner.has(row[1])) return undefined;
    byOwner.set(row[1], at);
  }
  return starts;
}

const mark = gapMark.charCodeAt(0);
const zero = '0'.charCodeAt(0);
const [open, comma, close] = Buffer.from('[,]') as unknown as [number, number, number];

/** Where a byte is from a place on; the end where it is nowhere. */
function placeOf(byte: number, bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== byte) at++;
  return at;
}

/**
 * Rows of whole documents, in bytes, out of rows for all texts. What belongs to a row is shown wherever that row is, so the bytes
 * are counted.
 */
export function filledByIds(answered: Rows, gaps: readonly Gap[], most: number): Rows {
  let rows = answered as unknown as readonly TextRow[];
  let starts = startsOf(rows, gaps);
  if (!starts) {
    // Nobody promises that what belongs together comes together, though nested loops bring it so.
    rows = [...rows].sort(grouped);
    starts = startsOf(rows, gaps)!;
  }
  const known = starts;
  const missing = gaps.map((gap) => Buffer.from(gap.missing));
  let room = 0;
  for (let at = 0; at < rows.length; at++) room += (rows[at]![3]?.length ?? 0) + 1;
  const bytes = new GrowingBytes(Math.min(room + (room >> 2), most), most);

  function fill(number: number, owner: number): void {
    const { many } = gaps[number - 1]!;
    let shown = 0;
    if (many) bytes.addByte(open);
    const start = known[number]!.get(owner) ?? rows.length;
    for (let at = start; at < rows.length && (many || shown === 0); at++) {
      const row = rows[at]!;
      if (row[0] !== number || row[1] !== owner) break;
      // A tie may lead to nothing that is shown.
      if (row[3] === null) continue;
      if (shown++ > 0) bytes.addByte(comma);
      add(row[3], row[2]);
    }
    if (many) bytes.addByte(close);
    else if (shown === 0) bytes.add(missing[number - 1]!);
  }

  /** Adds a text with its gaps filled, which it has none of where no id is told. */
  function add(text: Buffer, id: number | null): void {
    let from = 0;
    while (id !== null) {
      const at = placeOf(mark, text, from);
      bytes.add(text, from, at);
      if (at === text.length) return;
      let number = 0;
      for (from = at + 1; text[from] !== mark; from++) number = 10 * number + text[from]! - zero;
      from++;
      fill(number, id);
    }
    bytes.add(text);
  }

  const ends: number[] = [];
  const first = known[0]!.get(null) ?? rows.length;
  for (let at = first; at < rows.length && rows[at]![0] === 0; at++) {
    add(rows[at]![3]!, rows[at]![2]);
    ends.push(bytes.length);
  }
  return ends.map((end, index) => [bytes.part(ends[index - 1] ?? 0, end)]);
}
