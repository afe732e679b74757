import { createHash } from 'node:crypto';

/** The longest name the peer gives to anything in a database. */
export const longestName = 55;

const hashLength = 5;

/** A part of a name that is never cut (`lnk`, `fk`, …). Every other part is free: cut when the whole is too long. */
export interface FixedPart {
  readonly fixed: string;
}

export type NamePart = string | FixedPart;

export const fixed = (text: string): FixedPart => ({ fixed: text });

// The word rules of the peer's snake case: capitals before a word (`URLPath`), words, capitals, ordinals, digits.
const words = new RegExp(
  [
    '[A-Z]?[a-z]+(?=[^a-zA-Z0-9]|[A-Z]|$)',
    '[A-Z]+(?=[^a-zA-Z0-9]|[A-Z][a-z]|$)',
    '[A-Z]?[a-z]+',
    '[A-Z]+',
    '\\d*(?:1ST|2ND|3RD|(?![123])\\dTH)(?=\\b|[a-z_])',
    '\\d*(?:1st|2nd|3rd|(?![123])\\dth)(?=\\b|[A-Z_])',
    '\\d+',
  ].join('|'),
  'g',
);

const inSnakeCase = (name: string): string => (name.match(words) ?? []).join('_').toLowerCase();

/** Types name their attributes alike, and are asked for them several times: each name is taken apart once. */
const known = new Map<string, string>();

/** `metaTitle` → `meta_title`, `address1` → `address_1`, `item1st` → `item_1st`. */
export function snakeCase(name: string): string {
  const found = known.get(name) ?? inSnakeCase(name);
  known.set(name, found);
  return found;
}

/**
 * Joins the parts by `_`. Where that exceeds 55 characters, the free parts share the room that the fixed ones leave: all
 * the same, then what short parts do not need goes to the long ones, one character at a time in turn.
 */
export function joinName(...parts: readonly NamePart[]): string {
  const whole = parts.map((part) => (typeof part === 'string' ? part : part.fixed)).join('_');
  if (whole.length <= longestName) return whole;

  const free = parts.filter((part) => typeof part === 'string');
  const taken = parts.reduce((sum, part) => sum + (typeof part === 'string' ? 0 : part.fixed.length), parts.length - 1);
  const rooms = shareRoom(
    free.map((part) => part.length),
    longestName - taken,
  );
  let next = 0;
  return parts.map((part) => (typeof part === 'string' ? cut(part, rooms[next++] ?? 0) : part.fixed)).join('_');
}

function shareRoom(lengths: readonly number[], room: number): number[] {
  const equal = Math.floor(room / lengths.length);
  const rooms = lengths.map((length) => Math.min(length, equal));
  let left = room - rooms.reduce((sum, own) => sum + own, 0);
  while (left > 0) {
    for (const [i, length] of lengths.entries()) {
      const own = rooms[i] ?? 0;
      if (left === 0 || own >= length) continue;
      rooms[i] = own + 1;
      left -= 1;
    }
  }
  return rooms;
}

function cut(part: string, room: number): string {
  if (part.length <= room) return part;
  if (room < hashLength) throw new Error(`The name "${part}" cannot be shortened to ${room} characters.`);
  const hash = createHash('shake256', { outputLength: Math.ceil(hashLength / 2) })
    .update(part)
    .digest('hex');
  return part.slice(0, room - hashLength) + hash.slice(0, hashLength);
}
