import { checkedMail, type EmailMessage, readMailbox } from './message';

const senders = { defaultFrom: { name: 'Shop', address: 'shop@example.com' } };
const good: EmailMessage = { to: 'ann@example.com', subject: 'Hello', text: 'Hi' };

const refusal = (change: object): string => {
  try {
    checkedMail({ ...good, ...change }, senders);
  } catch (error) {
    return `${(error as { status: number }).status} ${(error as Error).message}`;
  }
  return 'accepted';
};

test('one mailbox is read, with a name or without', () => {
  expect(readMailbox('ann@example.com')).toEqual({ name: '', address: 'ann@example.com' });
  expect(readMailbox('<ann@example.com>')).toEqual({ name: '', address: 'ann@example.com' });
  expect(readMailbox('Ann of Green Gables <ann@example.com>')).toEqual({
    name: 'Ann of Green Gables',
    address: 'ann@example.com',
  });
  expect(readMailbox('"Gables, Ann" <ann@example.com>')).toEqual({ name: 'Gables, Ann', address: 'ann@example.com' });
});

test.each([
  'ann',
  '',
  'ann@example.com, bob@example.com',
  'ann@example.com;bob@example.com',
  'ann@example.com <bob@example.com> <cat@example.com>',
  '"ann@evil.example bob"@example.com',
  'ann@evil.example@example.com',
  'group: ann@example.com;',
  'ann@example.com\r\nBcc: bob@example.com',
  'Ann\nBcc: bob@example.com <ann@example.com>',
  'ann@exam\u0000ple.com',
  'ann @example.com',
])('%j is no mailbox', (text) => {
  expect(readMailbox(text)).toBeUndefined();
});

const many = 100_000;
const spaces = ' '.repeat(many);

test.each([
  ['nothing but spaces', spaces],
  ['spaces before the address', `Ann${spaces}<ann@example.com>`],
  ['spaces after it', `Ann <ann@example.com>${spaces}x`],
  ['spaces in brackets', `Ann <${spaces}>`],
  ['spaces in quotes', `"${spaces}`],
  ['spaces after quotes', `"Ann"${spaces}x`],
  ['quotes', '"'.repeat(many)],
  ['brackets that open', '<'.repeat(many)],
  ['quotes, spaces and brackets', '" <'.repeat(many)],
  ['at signs', 'a@'.repeat(many)],
  ['a long name', `${'x'.repeat(201)} <ann@example.com>`],
  ['a long address', `ann@${'x'.repeat(256)}`],
])('%s make no mailbox, and no work', (_what, text) => {
  const start = performance.now();
  expect(readMailbox(text)).toBeUndefined();
  expect(performance.now() - start).toBeLessThan(200);
});

test('a mailbox may be as long as mail servers take them, with spaces around it', () => {
  const [name, address] = ['n'.repeat(200), `${'a'.repeat(64)}@${'b'.repeat(255)}`];
  expect(readMailbox(`${spaces}"${name}"  <${address}>${spaces}`)).toEqual({ name, address });
  expect(readMailbox(` ${name} <${address}> `)).toEqual({ name, address });
});

test('defaults are filled in, and recipients may be many', () => {
  expect(checkedMail({ ...good, to: ['a@example.com', 'B <b@example.com>'], cc: 'c@example.com' }, senders)).toEqual({
    from: senders.defaultFrom,
    to: [
      { name: '', address: 'a@example.com' },
      { name: 'B', address: 'b@example.com' },
    ],
    cc: [{ name: '', address: 'c@example.com' }],
    bcc: [],
    subject: 'Hello',
    text: 'Hi',
    html: undefined,
  });
});

test.each([
  [{ to: 'ann@example.com\r\nBcc: x@example.com' }, /to must be one address/],
  [{ to: [] }, /at least one address/],
  [{ to: undefined }, /at least one address/],
  [{ to: { address: 'ann@example.com' } }, /to must be one address/],
  [{ to: Array.from({ length: 101 }, (_, i) => `u${i}@example.com`) }, /at most 100 recipients/],
  [{ cc: 'x' }, /cc must be/],
  [{ bcc: ['x@example.com\nTo: y@example.com'] }, /bcc must be/],
  [{ from: 'Shop <shop@example.com>\r\nX: y' }, /from must be/],
  [{ replyTo: 'a@example.com, b@example.com' }, /replyTo must be/],
  [{ subject: 'Hello\r\nBcc: bob@example.com' }, /subject must be one line/],
  [{ subject: undefined }, /subject must be one line/],
  [{ subject: 'x'.repeat(999) }, /at most 998/],
  [{ text: undefined }, /a text or html/],
  [{ text: { path: '/etc/passwd' } }, /text must be a text/],
  [{ text: undefined, html: 'x'.repeat(1_000_001) }, /html must be at most/],
])('%j is refused', (change, message) => {
  expect(refusal(change)).toMatch(/^400 /);
  expect(refusal(change)).toMatch(message);
});

test('every mistake is told at once, and none shows the message', () => {
  const text = refusal({ to: 'secret-a', subject: 'secret-b\n', text: 5 });
  expect(text).toBe('400 3 errors occurred');
  try {
    checkedMail({ to: 'secret-a', subject: 'secret-b\n', text: 5 as never }, senders);
  } catch (error) {
    expect(JSON.stringify((error as { details: object }).details)).not.toMatch(/secret/);
  }
});
