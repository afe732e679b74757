import { array, assert, nat, property, uint8Array } from 'fast-check';
import { GrowingBytes } from './growing-bytes';

test('parts and bytes stand one behind the other, however much room there was', () => {
  const part = uint8Array({ maxLength: 200 });
  assert(
    property(nat(300), array(part), (room, parts) => {
      const bytes = new GrowingBytes(room, 1_000_000);
      for (const each of parts) {
        bytes.add(each);
        bytes.addByte(1);
        bytes.add(each, each.length >> 1);
        bytes.add(each, 1, Math.max(1, each.length - 1));
      }
      const expected = parts.flatMap((each) => [...each, 1, ...each.slice(each.length >> 1), ...each.slice(1, -1)]);
      expect([...bytes.part(0, bytes.length)]).toEqual(expected);
      const half = bytes.length >> 1;
      expect([...bytes.part(0, half)]).toEqual(expected.slice(0, half));
    }),
  );
});

test('there are no more than there may be', () => {
  const tooLarge = expect.objectContaining({ name: 'PayloadTooLargeError', message: expect.stringContaining('100') });
  const bytes = new GrowingBytes(10, 100);
  bytes.add(Buffer.alloc(99));
  bytes.addByte(1);
  expect(() => bytes.addByte(1)).toThrow(tooLarge);
  expect(() => bytes.add(Buffer.alloc(1))).toThrow(tooLarge);
  expect(bytes.part(0, bytes.length)).toEqual(Buffer.concat([Buffer.alloc(99), Buffer.from([1])]));
});
