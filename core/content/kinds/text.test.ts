import { check, keeps, messagesOf, notText, refuses, wrongText } from './checking.fixture';

describe.each(['string', 'text', 'richtext', 'password'])('%s', (type) => {
  test('keeps any text as it is', () => {
    keeps(
      { type },
      ['', ' ', '  a ', 'Ünïcödé 🙂', 'nul\u0000l', '\u0001\u0002\u001f', '\u2028'].map((text) => [text, text]),
    );
  });

  test('refuses what is no text', () => refuses({ type }, notText));

  test('length and pattern', () => {
    const definition = { type, minLength: 2, maxLength: 3, regex: '^[a-z]+$' };
    expect(messagesOf(check(definition, 'a'))).toEqual(['f must be at least 2 characters']);
    expect(messagesOf(check(definition, 'abcd'))).toEqual(['f must be at most 3 characters']);
    expect(messagesOf(check(definition, 'AB'))).toEqual(['f must match the following: "/^[a-z]+$/"']);
    expect(messagesOf(check(definition, 'ABCD'))).toEqual([
      'f must be at most 3 characters',
      'f must match the following: "/^[a-z]+$/"',
    ]);
    expect(messagesOf(check(definition, 'abcd', 'sketch'))).toEqual(['f must be at most 3 characters']);
    expect(check(definition, 'A', 'sketch')).toEqual({ value: 'A' });
    expect(check({ type, regex: '^x+$' }, '')).toEqual({ value: '' });
    expect(messagesOf(check({ type, regex: '^x+$', required: true }, ''))).toEqual([
      'f must match the following: "/^x+$/"',
    ]);
  });
});

test('only a string has a length of its own, counted in UTF-16 units', () => {
  expect(check({ type: 'string' }, '🙂'.repeat(127))).toEqual({ value: '🙂'.repeat(127) });
  expect(check({ type: 'string' }, 'a'.repeat(256))).toEqual({
    refusals: [{ message: 'f must be at most 255 characters', value: 'a'.repeat(256) }],
  });
  expect(check({ type: 'string', maxLength: 300 }, 'a'.repeat(300))).toHaveProperty('value');
  for (const type of ['text', 'richtext', 'password', 'email']) {
    const long = type === 'email' ? `${'a'.repeat(300)}@x.org` : 'a'.repeat(70_000);
    expect(check({ type }, long)).toEqual({ value: long });
  }
});

describe('email', () => {
  test.each([
    'ü@x.org',
    '"a b"@x.org',
    String.raw`"a\"b"@x.org`,
    'a@x.o',
    'a+b@x.org',
    'A@X.ORG',
    "o'neil@x.org",
    '日本@例え.テスト',
    'a@x_y.org',
    'a@x.c1d',
    'a@b.c_d',
  ])('keeps %s', (address) => {
    expect(check({ type: 'email' }, address)).toEqual({ value: address });
  });

  test.each([
    'a',
    'a@',
    'a@x',
    '@x.org',
    ' a@x.org',
    'a@x.org ',
    'a@x..org',
    'a..b@x.org',
    'a@1.2.3.4',
    'a@[1.2.3.4]',
    'a,b@x.org',
    'a@b.c1',
    'a@b.1c',
    'a@x_.org',
    'a@x.org_',
    'a\u0001b@x.org',
    '"a"b"@x.org',
    '"a\nb"@x.org',
    '🙂@x.org',
    'a@🙂.org',
  ])('refuses "%s" once the document is complete', (address) => {
    expect(messagesOf(check({ type: 'email' }, address))).toEqual(['f must be a valid email']);
    expect(check({ type: 'email' }, address, 'sketch')).toEqual({ value: address });
  });

  test('refuses an empty text and what is no text', () => {
    expect(messagesOf(check({ type: 'email' }, ''))).toEqual(['f cannot be empty']);
    expect(check({ type: 'email' }, '', 'sketch')).toEqual({ value: '' });
    refuses({ type: 'email' }, notText);
  });

  test('length and pattern come before the form; an address has no least length', () => {
    const definition = { type: 'email', minLength: 8, maxLength: 9, regex: '^q' };
    expect(messagesOf(check(definition, ''))).toEqual(['f cannot be empty']);
    expect(check(definition, 'q@x.org')).toEqual({ value: 'q@x.org' });
    expect(messagesOf(check(definition, 'a'.repeat(10)))).toEqual([
      'f must be at most 9 characters',
      'f must match the following: "/^q/"',
      'f must be a valid email',
    ]);
  });

  test('a hostile address is judged at once', () => {
    const start = performance.now();
    expect(messagesOf(check({ type: 'email' }, `a@${'a-'.repeat(30_000)}!`))).toHaveLength(1);
    expect(messagesOf(check({ type: 'email' }, `${'a.'.repeat(30_000)}@`))).toHaveLength(1);
    expect(messagesOf(check({ type: 'email' }, `"${'\\"'.repeat(30_000)}@`))).toHaveLength(1);
    expect(performance.now() - start).toBeLessThan(500);
  });
});

test('uid holds what may stand in a path', () => {
  keeps({ type: 'uid' }, [
    ['', ''],
    ['A-b_c.~9', 'A-b_c.~9'],
  ]);
  for (const slug of ['a b', 'ä', 'a/b']) {
    expect(messagesOf(check({ type: 'uid' }, slug))).toEqual(['f must match the following: "/^[A-Za-z0-9-_.~]*$/"']);
    expect(check({ type: 'uid' }, slug, 'sketch')).toEqual({ value: slug });
  }
  expect(messagesOf(check({ type: 'uid', regex: '^[a-z]+$' }, 'A'))).toEqual([
    'f must match the following: "/^[a-z]+$/"',
  ]);
  refuses({ type: 'uid' }, notText);
});

test('enumeration takes what is listed, and numbers by their text', () => {
  const definition = { type: 'enumeration', enum: ['basic', '5', 'true'] };
  keeps(definition, [
    ['basic', 'basic'],
    [5, '5'],
    [true, 'true'],
  ]);
  refuses(definition, [
    ['', 'f must be one of the following values: basic, 5, true, '],
    ['Basic', 'f must be one of the following values: basic, 5, true, '],
    [6, 'f must be one of the following values: basic, 5, true, '],
  ]);
  expect(check(definition, 6)).toEqual({ refusals: [expect.objectContaining({ value: '6' })] });
  expect(messagesOf(check({ ...definition, required: true }, 'x'))).toEqual([
    'f must be one of the following values: basic, 5, true, ',
  ]);
  expect(messagesOf(check(definition, {}))).toEqual([
    wrongText('{}'),
    'f must be one of the following values: basic, 5, true, ',
  ]);
});
