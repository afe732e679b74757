import { redact } from './redact';

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJpZCI6MX0.c2lnbmF0dXJl';
const hash = `$2b$10$${'a'.repeat(53)}`;

test.each<[name: string, value: unknown, secret: string]>([
  ["the run's token", { any: 'where my-token stands' }, 'my-token'],
  ['a header', { headers: { authorization: 'Bearer abc.def' } }, 'abc.def'],
  ['a bearer in a text', 'sent Bearer 0123456789abcdef', '0123456789'],
  ['a JWT anywhere', { message: `got ${jwt}` }, jwt],
  ['a hash of a password', [{ note: hash }], hash],
  ['a password by its key', { user: { password: 'Open5esame', newPasswordConfirmation: 'x' } }, 'Open5esame'],
  ['a password in a body that was sent', { body: '{"identifier":"ann","password":"Open5esame"}' }, 'Open5esame'],
  [
    'a password in GraphQL',
    { body: JSON.stringify({ query: 'mutation { a(password: "Open5esame") }' }) },
    'Open5esame',
  ],
  ['a password with escapes', { body: JSON.stringify({ password: 'Open\\5esame' }) }, '5esame'],
  ['a password in a query', '/api/x?password=Open5esame&a=1', 'Open5esame'],
  [
    'a difference about a password',
    { path: 'body.data.password', expected: { $absent: true }, got: 'Open5esame' },
    'Open5',
  ],
])('%s is in no report', (_, value, secret) => {
  const shown = JSON.stringify(redact(value, ['my-token', '']));
  expect(shown).toContain('[redacted]');
  expect(shown).not.toContain(secret);
});

test('what is no secret stays', () => {
  const value = {
    path: '/api/products',
    body: { a: [1, null, true], password: null, passwordless: 'x' },
    $2: 'eyJ',
    title: 'after Bearer comes a token',
  };
  expect(redact(value, [''])).toEqual(value);
});
