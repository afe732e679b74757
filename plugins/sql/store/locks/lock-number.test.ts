import fc from 'fast-check';
import { lockNumber } from './lock-number';

/** As it is defined, with 63 bits kept at each step. */
function defined(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0x7fffffffffffffffn;
  return hash;
}

test('halves make the same number', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
      expect(lockNumber(text)).toBe(defined(text));
    }),
    { numRuns: 2_000 },
  );
});
