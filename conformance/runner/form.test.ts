import { inflateSync } from 'node:zlib';
import { encodeForm, imageOf } from './form';

const values = new Map([['who', 'Ann']]);

test('fields and files stand in the form in their order, with what was saved', async () => {
  const { type, bytes } = encodeForm(
    [
      { name: 'fileInfo', json: { caption: '{{who}}' } },
      { name: 'files', file: 'a "{{who}}".txt', type: 'text/plain', text: 'hello {{who}}' },
      { name: 'files', file: 'b.bin', base64: 'AAEC' },
    ],
    values,
  );
  const form = await new Response(bytes as never, { headers: { 'content-type': type } }).formData();
  expect(form.get('fileInfo')).toBe('{"caption":"Ann"}');
  const [text, binary] = form.getAll('files') as File[];
  expect([text!.type, await text!.text()]).toEqual(['text/plain', 'hello Ann']);
  expect([binary!.name, ...new Uint8Array(await binary!.arrayBuffer())]).toEqual(['b.bin', 0, 1, 2]);
});

test('the same form is the same bytes, and another form has another boundary', () => {
  const once = encodeForm([{ name: 'a', text: '1' }], values);
  expect(encodeForm([{ name: 'a', text: '1' }], values)).toEqual(once);
  expect(encodeForm([{ name: 'a', text: '2' }], values).type).not.toBe(once.type);
});

test('an image has the size that it is asked for', () => {
  const image = imageOf(30, 20);
  expect([image.readUInt32BE(16), image.readUInt32BE(20)]).toEqual([30, 20]);
  const length = image.readUInt32BE(33);
  expect(inflateSync(image.subarray(41, 41 + length))).toHaveLength((30 * 3 + 1) * 20);
});
