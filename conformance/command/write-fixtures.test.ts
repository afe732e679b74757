import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSchemas } from '../own/schemas';
import { writeFixtures } from './write-fixtures';

const project = mkdtempSync(join(tmpdir(), 'fixtures-'));
afterAll(() => rmSync(project, { recursive: true }));

test('a project gets the content types, with what Strapi wants beside them, and keeps its own', () => {
  const types = writeFixtures(project);
  expect(types).toContain('article');
  expect(readSchemas(project)).toEqual(readSchemas(join(__dirname, '../fixtures/app')));
  expect(readdirSync(join(project, 'src/api/article')).sort()).toEqual([
    'content-types',
    'controllers',
    'routes',
    'services',
  ]);
  expect(() => writeFixtures(project)).toThrow(/has api\/article, .* already; nothing was written/);
  expect(existsSync(join(project, 'src/plugins'))).toBe(false);
});
