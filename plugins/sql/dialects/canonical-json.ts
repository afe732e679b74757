const code = (character: string): number => character.charCodeAt(0);
const quote = code('"');
const backslash = code('\\');
const comma = code(',');
const colon = code(':');
const openBrace = code('{');
const closeBrace = code('}');
const openBracket = code('[');
const closeBracket = code(']');
const minus = code('-');
const dot = code('.');
const blank = code(' ');
const zero = code('0');
const nine = code('9');

/** What may follow a backslash; JSON.stringify writes the short forms where there are any. */
const short = new Set(Array.from('"\\bfnrt', code));
const words = ['true', 'false', 'null'].map((word) => Buffer.from(word));
const initials = new Set(words.map(([initial]) => initial!));

/** Deeper values are left to JSON.parse. */
const deepest = 100;

/** Objects of more keys are, too: each key is compared with all before it. */
const mostKeys = 16;

/** A double keeps all decimals of so many digits, and JSON.stringify writes them without an exponent from 0.000001 on. */
const exactDigits = 15;
const plainZeros = 5;

const isDigit = (byte: number | undefined): boolean => byte! >= zero && byte! <= nine;

/** Behind the closing quote; every way out of the bytes ends at what is no character. */
function stringEnd(bytes: Buffer, from: number): number {
  for (let at = from; ; at++) {
    const byte = bytes[at]!;
    if (byte === quote) return at + 1;
    if (byte === backslash) {
      at++;
      if (!short.has(bytes[at]!)) return -1;
    } else if (!(byte >= 32)) return -1;
  }
}

function digitsEnd(bytes: Buffer, from: number): number {
  let at = from;
  while (isDigit(bytes[at])) at++;
  return at;
}

function numberEnd(bytes: Buffer, from: number): number {
  const start = bytes[from] === minus ? from + 1 : from;
  const whole = digitsEnd(bytes, start);
  const isZero = bytes[start] === zero;
  if (whole === start || (isZero && whole > start + 1)) return -1;
  if (bytes[whole] !== dot) return whole - start > exactDigits || (isZero && start > from) ? -1 : whole;
  const end = digitsEnd(bytes, whole + 1);
  if (end === whole + 1 || bytes[end - 1] === zero || end - start - 1 > exactDigits) return -1;
  let first = whole + 1;
  while (bytes[first] === zero) first++;
  return isZero && first - whole - 1 > plainZeros ? -1 : end;
}

function wordEnd(bytes: Buffer, from: number): number {
  const word = words.find((each) => each[0] === bytes[from])!;
  for (let at = 1; at < word.length; at++) if (bytes[from + at] !== word[at]) return -1;
  return from + word.length;
}

/** Where the next thing starts behind a comma or a colon; a blank between them is noted. */
function nextStart(bytes: Buffer, separator: number, blanks: number[]): number {
  const at = separator + 1;
  if (bytes[at] !== blank) return at;
  blanks.push(at);
  return at + 1;
}

function listEnd(bytes: Buffer, from: number, depth: number, blanks: number[]): number {
  if (bytes[from] === closeBracket) return from + 1;
  for (let at = from; ; at = nextStart(bytes, at, blanks)) {
    at = valueEnd(bytes, at, depth, blanks);
    if (at < 0) return -1;
    if (bytes[at] === closeBracket) return at + 1;
    if (bytes[at] !== comma) return -1;
  }
}

const isNumeric = (bytes: Buffer, from: number, end: number): boolean => digitsEnd(bytes, from) === end && end > from;

function isSame(bytes: Buffer, one: number, other: number, length: number): boolean {
  for (let at = 0; at < length; at++) if (bytes[one + at] !== bytes[other + at]) return false;
  return true;
}

/** Whether a key is one that came before in its object; `keys` holds where each of them starts and ends. */
function isKnown(bytes: Buffer, keys: readonly number[], from: number, end: number): boolean {
  for (let at = 0; at < keys.length; at += 2) {
    const start = keys[at]!;
    if (keys[at + 1]! - start === end - from && isSame(bytes, start, from, end - from)) return true;
  }
  return false;
}

/** An object whose keys stay as they are: none twice, and none that is a number, which JavaScript puts first. */
function objectEnd(bytes: Buffer, from: number, depth: number, blanks: number[]): number {
  if (bytes[from] === closeBrace) return from + 1;
  const keys: number[] = [];
  for (let at = from; ; at = nextStart(bytes, at, blanks)) {
    if (bytes[at] !== quote) return -1;
    const start = at + 1;
    at = stringEnd(bytes, start);
    if (at < 0 || bytes[at] !== colon || keys.length >= 2 * mostKeys) return -1;
    if (isNumeric(bytes, start, at - 1) || isKnown(bytes, keys, start, at - 1)) return -1;
    keys.push(start, at - 1);
    at = valueEnd(bytes, nextStart(bytes, at, blanks), depth, blanks);
    if (at < 0) return -1;
    if (bytes[at] === closeBrace) return at + 1;
    if (bytes[at] !== comma) return -1;
  }
}

function valueEnd(bytes: Buffer, at: number, depth: number, blanks: number[]): number {
  const byte = bytes[at];
  if (byte === quote) return stringEnd(bytes, at + 1);
  if (byte === openBrace) return depth < deepest ? objectEnd(bytes, at + 1, depth + 1, blanks) : -1;
  if (byte === openBracket) return depth < deepest ? listEnd(bytes, at + 1, depth + 1, blanks) : -1;
  if (initials.has(byte!)) return wordEnd(bytes, at);
  return numberEnd(bytes, at);
}

/**
 * Where the JSON value that starts here ends, if it is spelt just as JSON.stringify spells what JSON.parse makes of it, but for
 * single blanks behind commas and colons: without those, whose places are added to `blanks`, it can be sent as it is. Otherwise, or
 * where that is hard to tell, -1, and what was added means nothing. Behind a number something else may follow that belongs to it:
 * whoever asks has to look for what ends the value.
 */
export const canonicalEnd = (bytes: Buffer, start: number, blanks: number[]): number =>
  valueEnd(bytes, start, 0, blanks);
