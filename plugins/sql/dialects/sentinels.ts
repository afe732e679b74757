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
    result += text.slice(from, at) + rendered(text.slice(at + 1, end));
    from = end + 1;
    at = text.indexOf(open, from);
  }
  return result + text.slice(from);
}

interface Marks {
  /** Where each value is opened and closed, one after the other. */
  readonly places: readonly number[];
  /** All of them can be sent as they are. */
  readonly canonical: boolean;
}

function marksIn(bytes: Buffer): Marks {
  const places: number[] = [];
  let canonical = true;
  for (let at = bytes.indexOf(openByte); at >= 0; at = bytes.indexOf(openByte, at)) {
    let end = canonicalEnd(bytes, at + 1);
    if (bytes[end] !== closeByte) {
      end = bytes.indexOf(closeByte, at);
      canonical = false;
    }
    places.push(at, end);
    at = end;
  }
  return { places, canonical };
}

/** Takes the marks out where they are. */
function withoutMarks(bytes: Buffer, places: readonly number[]): Buffer {
  let to = places[0]!;
  for (let index = 0; index < places.length; index++) {
    const from = places[index]! + 1;
    const end = places[index + 1] ?? bytes.length;
    bytes.copyWithin(to, from, end);
    to += end - from;
  }
  return bytes.subarray(0, to);
}

/**
 * The same for the bytes of such a text, which may be changed on the way. Undefined where something is marked that is no
 * JSON, and so might hold marks itself.
 */
export function renderMarkedBytes(given: Buffer): Buffer | undefined {
  const bytes = isUtf8(given) ? given : Buffer.from(given.toString());
  const { places, canonical } = marksIn(bytes);
  if (places.length === 0) return bytes;
  if (canonical) {
    const result = withoutMarks(bytes, places);
    return result.includes(closeByte) ? undefined : result;
  }
  const parts: Buffer[] = [];
  let from = 0;
  for (let index = 0; index < places.length; index += 2) {
    const [start, end] = [places[index]!, places[index + 1]!];
    const text = respelt(bytes.toString('utf8', start + 1, end));
    if (text === undefined) return undefined;
    parts.push(bytes.subarray(from, start), Buffer.from(text));
    from = end + 1;
  }
  const result = Buffer.concat([...parts, bytes.subarray(from)]);
  return result.includes(closeByte) ? undefined : result;
}
