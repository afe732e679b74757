import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSchemas } from './schemas';

const folder = mkdtempSync(join(tmpdir(), 'schemas-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(['src', 'config', ''])('schema files are found in "%s" of the folder that is named', (place) => {
  const dir = join(folder, `project-${place}`);
  const type = join(dir, place, 'api/note/content-types/note');
  mkdirSync(type, { recursive: true });
  writeFileSync(
    join(type, 'schema.json'),
    JSON.stringify({
      kind: 'collectionType',
      info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
      attributes: { title: { type: 'string' } },
    }),
  );
  expect(readSchemas(dir).types.map(({ path }) => path)).toEqual(['/api/notes']);
});

test('a folder without any is refused, with the places that were looked at', () => {
  expect(() => readSchemas(folder)).toThrow('there is neither src/api nor config/api nor api in it');
});
