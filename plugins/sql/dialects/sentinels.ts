import { isUtf8 } from 'node:buffer';
import { Lru } from '../../../core';
import { canonicalEnd } from './canonical-json';

/** Opens and closes a value that SQL could not spell. Neither occurs in valid JSON. */
export const open = '\u0001';
export const close = '\u0002';

/** Stands for a text that a database could not make, for want of room. */
export const unfit = '\u0003';

const openByte = open.charCodeAt(0);
const closeByte = close.charCodeAt(0);

/** Lists are asked for again and again: a value that is not too long is found ten times quicker than it is spelt. */
const known = new Lru<string>(1_000);
const longestKnown = 1_000;

/** A text that keeps nothing else in memory, unlike a part of another one. */
const copyOf = (text: string): string => Buffer.from(text).toString();

/** JSON as JSON.stringify spells it; undefined for what is none. */
function spelt(raw: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(raw));
  } catch {
    return undefined;
  }
}

function respelt(raw: string): string | undefined {
  if (raw.length > longestKnown) return spelt(raw);
  const before = known.get(raw);
  if (before !== undefined) return before;
  const result = spelt(raw);
  if (result !== undefined) known.set(copyOf(raw), result);
  return result;
}

/** Not ours to judge: what another writer left in a JSON column is shown as text. */
const rendered = (raw: string): string => respelt(raw) ?? JSON.stringify(raw);

/** Renders the marked values of a text that a database made. */
export function renderMarked(text: string): string {
  let at = text.indexOf(open);
  if (at < 0) return text;
  let result = '';
  let from = 0;
  while (at >= 0) {
    const end = text.indexOf(close, at);
    // Looked for from its start again, it would never end.
    if (end < 0) throw new Error('The database has answered a part of a text');
    result += text.slice(from, at) + rendered(text.slice(at + 1, end));
    from = end + 1;
    at = text.indexOf(open, from);
  }
  return result + text.slice(from);
}

/** Shorter parts are moved byte by byte: a call of `copyWithin` costs more than that. */
const longPart = 48;

/** The bytes of a part without those at `cuts`, which are in order; the others are moved together in place. */
function withoutCuts(bytes: Buffer, from: number, end: number, cuts: readonly number[]): Buffer {
  let to = cuts[0] ?? end;
  for (let index = 0; index < cuts.length; index++) {
    const start = cuts[index]! + 1;
    const next = cuts[index + 1] ?? end;
    if (next - start >= longPart) {
      bytes.copyWithin(to, start, next);
      to += next - start;
    } else for (let at = start; at < next; at++) bytes[to++] = bytes[at]!;
  }
  return bytes.subarray(from, to);
}

/**
 * The same for the bytes of such a text, which are overwritten. Undefined where something is marked that is no
 * JSON, and so might hold marks itself.
 */
export function renderMarkedBytes(given: Buffer): Buffer | undefined {
  const bytes = isUtf8(given) ? given : Buffer.from(given.toString());
  const first = bytes.indexOf(openByte);
  if (first < 0) return bytes;
  const parts: Buffer[] = [];
  let from = 0;
  let cuts: number[] = [];
  for (let at = first; at >= 0; at = bytes.indexOf(openByte, at)) {
    const before = cuts.length;
    cuts.push(at);
    let end = canonicalEnd(bytes, at + 1, cuts);
    if (bytes[end] === closeByte) cuts.push(end);
    else {
      end = bytes.indexOf(closeByte, at);
      const text = respelt(bytes.toString('utf8', at + 1, end));
      if (text === undefined) return undefined;
      cuts.length = before;
      parts.push(withoutCuts(bytes, from, at, cuts), Buffer.from(text));
      cuts = [];
      from = end + 1;
    }
    at = end;
  }
  const rest = withoutCuts(bytes, from, bytes.length, cuts);
  const result = parts.length === 0 ? rest : Buffer.concat([...parts, rest]);
  return result.includes(closeByte) ? undefined : result;
}
