import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { appFolder } from '../testing/app-folder';
import { hasSecret, secretOf } from './secret';

test('a secret is made once, for its owner only, and kept', () => {
  const folder = appFolder();
  expect(hasSecret(folder, 'tokens')).toBe(false);
  const secret = secretOf(folder, 'tokens');
  expect(hasSecret(folder, 'tokens')).toBe(true);
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(secretOf(folder, 'tokens')).toBe(secret);
  expect(secretOf(folder, 'others')).not.toBe(secret);
  const dir = join(folder.dataDir, 'secrets');
  expect(statSync(join(dir, 'tokens')).mode & 0o777).toBe(0o600);
  expect(readdirSync(dir)).toEqual(['others', 'tokens']);
  expect(readFileSync(join(dir, 'tokens'), 'utf8')).toBe(secret);
  folder.remove();
});

test('an empty secret is refused, not used', () => {
  const folder = appFolder();
  mkdirSync(join(folder.dataDir, 'secrets'), { recursive: true });
  writeFileSync(join(folder.dataDir, 'secrets', 'tokens'), '\n');
  expect(() => secretOf(folder, 'tokens')).toThrow('is empty');
  folder.remove();
});
