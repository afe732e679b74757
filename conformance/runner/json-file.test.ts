import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { readJson } from './json-file';

const schema = z.strictObject({ size: z.int(), name: z.string().optional() });
const folder = mkdtempSync(join(tmpdir(), 'heddle-json-'));

afterAll(() => rmSync(folder, { recursive: true }));

function read(text: string): unknown {
  const file = join(folder, 'content.json');
  writeFileSync(file, text);
  return readJson(file, schema);
}

test('content that fits is given back', () => {
  expect(read('{"size":1}')).toEqual({ size: 1 });
});

test('a file that is not there is named', () => {
  expect(() => readJson(join(folder, 'none.json'), schema)).toThrow(/none\.json: ENOENT/);
});

test.each([
  ['what is no JSON', '{"size":', /content\.json: .*JSON/],
  ['every wrong place', '{"size":"x","name":5}', /content\.json: \/size: .*number.*; \/name: .*string/],
])('%s is told with the file', (_, text, complaint) => {
  expect(() => read(text)).toThrow(complaint);
});
