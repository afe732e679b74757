import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConformOptions, settingsOf } from './settings';

const folder = mkdtempSync(join(tmpdir(), 'profile-'));
const profile = join(folder, 'profile.json');
afterAll(() => rmSync(folder, { recursive: true }));

function settings(content: unknown, options: ConformOptions = {}) {
  writeFileSync(profile, JSON.stringify(content));
  return settingsOf({ ...options, profile }, { KEY: 'from-env' });
}

test('a profile says what a deployment is and has; what it does not name is there', () => {
  const found = settings({
    name: 'Ours',
    url: 'https://x.io',
    tokenFrom: 'KEY',
    features: { graphql: false, aggregates: false },
    timeout: 3,
    deviations: 'known.json',
  });
  expect(found).toMatchObject({ name: 'Ours', url: 'https://x.io', token: 'from-env', timeout: 3000, retries: 2 });
  expect(found.features).toEqual(['rest', 'draft-publish', 'i18n', 'upload', 'users-permissions', 'beyond']);
  expect(found.deviations).toBe(join(folder, 'known.json'));
});

test('the command line counts more', () => {
  const content = {
    url: 'https://x.io',
    tokenFrom: 'KEY',
    features: { graphql: false },
    concurrency: 2,
    exclusive: true,
  };
  const over = { url: 'http://y', token: 't', features: ['rest'], concurrency: 5, exclusive: false };
  expect(settings(content, over)).toMatchObject(over);
  expect(settings({ url: 'http://x' }).features).toBeUndefined();
});

test('a variable that is not set is no token, and its name is kept for whoever misses one', () => {
  expect(settings({ url: 'http://x', tokenFrom: 'NO_KEY' })).toMatchObject({ token: undefined, tokenFrom: 'NO_KEY' });
});

test.each<[name: string, content: unknown, options: ConformOptions, complaint: RegExp]>([
  ['no address', {}, {}, /Say where the deployment answers/],
  ['an address that is none', {}, { url: 'somewhere' }, /--url is an address/],
  ['an address that is not of the web', { url: 'file:///etc/passwd' }, {}, /--url is an address/],
  ['a password in the address', { url: 'http://a:b@x' }, {}, /no room for a password/],
  ['a key that is none', { url: 'http://x', colour: 1 }, {}, /profile.*: .*colour/],
  ['a feature that is none', { url: 'http://x', features: { graphq: true } }, {}, /profile.*: .*graphq/],
  ['a feature that is none, as an option', { url: 'http://x' }, { off: ['nope'] }, /no feature "nope"/],
])('%s is refused', (_, content, options, complaint) => {
  expect(() => settings(content, options)).toThrow(complaint);
});
