import { randomBytes } from 'node:crypto';

const letters = 'abcdefghijklmnopqrstuvwxyz';
const symbols = `${letters}0123456789`;
const length = 24;

/** Random bytes are asked for in bulk: one call to the system serves many ids. */
let pool = Buffer.alloc(0);
let at = 0;

function nextByte(below: number): number {
  for (;;) {
    if (at >= pool.length) {
      pool = randomBytes(length * 64);
      at = 0;
    }
    const byte = pool[at++]!;
    // Bytes beyond the last whole multiple would favour the first symbols.
    if (byte < 256 - (256 % below)) return byte % below;
  }
}

/** A new document's identifier: a letter, then letters and digits, 24 in all. */
export function newDocumentId(): string {
  let id = letters[nextByte(letters.length)]!;
  while (id.length < length) id += symbols[nextByte(symbols.length)];
  return id;
}
