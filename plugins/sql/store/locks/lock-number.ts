/**
 * A number of 63 bits for a text: FNV-1a, kept in two halves, since BigInt takes seven times as long. Two texts
 * of one number only wait for each other without need; processes of one database have to agree on it.
 */
export function lockNumber(text: string): bigint {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (const byte of Buffer.from(text)) {
    low = (low ^ byte) >>> 0;
    // Times 0x100000001b3.
    const product = low * 0x1b3;
    high = (Math.imul(high, 0x1b3) + (low << 8) + Math.floor(product / 2 ** 32)) & 0x7fffffff;
    low = product >>> 0;
  }
  return (BigInt(high) << 32n) | BigInt(low);
}
