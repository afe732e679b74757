import { join } from 'node:path';
import { settingsFrom } from './settings';

test('a project is looked for where the command is given, and run from wherever', () => {
  expect(settingsFrom(['--peer', 'there', '--only', 'peer'])).toEqual({
    peer: join(process.cwd(), 'there'),
    only: 'peer',
  });
  expect(settingsFrom(['--only', 'heddle-mysql'])).toEqual({ only: 'heddle-mysql' });
  expect(settingsFrom([])).toEqual({});
});

test.each([
  [['--only', 'mysql'], '--only mysql: known are heddle-sqlite, heddle-mysql, heddle-postgres, peer.'],
  [['--only', 'peer'], '--only peer needs --peer'],
  [['--onyl', 'peer'], "Unknown option '--onyl'"],
])('%j is refused', (args, told) => {
  expect(() => settingsFrom(args)).toThrow(told);
});
