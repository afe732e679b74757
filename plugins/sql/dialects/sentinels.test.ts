import fc from 'fast-check';
import { close, open, renderMarked, renderMarkedBytes } from './sentinels';

const marked = (raw: string): string => `${open}${raw}${close}`;

test('what stands between the marks is spelt as JSON.stringify does', () => {
  expect(renderMarked(`[{"a":${marked('{"b": 1.50, "b":[ 1E2 ]}')},"c":${marked('1e21')}}]`)).toBe(
    '[{"a":{"b":[100]},"c":1e+21}]',
  );
  expect(renderMarked('[{"a":1}]')).toBe('[{"a":1}]');
  expect(renderMarked(marked('-0'))).toBe('0');
});

test('what is no JSON is shown as text', () => {
  expect(renderMarked(`[${marked('{bad')},${marked('')}]`)).toBe('["{bad",""]');
});

test('a text that ends within a value is refused', () => {
  const cut = `[1,${open}{"a":`;
  expect(renderMarkedBytes(Buffer.from(cut))).toBeUndefined();
  expect(() => renderMarked(cut)).toThrow('a part of a text');
});

test.each([
  ['a short value is spelt once', 900, 1],
  ['a long one each time', 1_100, 2],
])('%s', (_, length, times) => {
  const parse = jest.spyOn(JSON, 'parse');
  const value = 'ü'.repeat(length);
  const texts = [1, 2].map(() => renderMarked(`[${marked(`[ "${value}" ]`)}]`));
  const parsed = parse.mock.calls.length;
  parse.mockRestore();
  expect(texts).toEqual([`[["${value}"]]`, `[["${value}"]]`]);
  expect(parsed).toBe(times);
});

test('any JSON in any place', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.jsonValue(), fc.boolean())), (values) => {
      const text = values.map(([value, isMarked]) =>
        isMarked ? marked(JSON.stringify(value, undefined, 1)) : JSON.stringify(value),
      );
      expect(renderMarked(`[${text}]`)).toBe(JSON.stringify(values.map(([value]) => value)));
    }),
  );
});

const inBytes = (text: string): string | undefined => renderMarkedBytes(Buffer.from(text))?.toString();

/** JSON as PostgreSQL spells it, but for the order of keys. */
function withBlanks(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(withBlanks).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([key, each]) => `${JSON.stringify(key)}: ${withBlanks(each)}`)
    .join(', ')}}`;
}

test('the same in bytes, whatever else is marked', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.jsonValue(), fc.constantFrom('plain', 'canonical', 'blanks', 'spaced'))),
      (values) => {
        const text = values.map(([value, form]) => {
          if (form === 'plain') return JSON.stringify(value);
          if (form === 'blanks') return marked(withBlanks(value));
          return marked(JSON.stringify(value, undefined, form === 'spaced' ? 1 : undefined));
        });
        expect(inBytes(`[${text}]`)).toBe(JSON.stringify(values.map(([value]) => value)));
      },
    ),
  );
});

test.each([marked('{bad'), marked(`1${close},2`), marked(`{}${close},"x":${open}{}`) + close, marked('')])(
  'bytes that hold what is no JSON are given back to be read with care',
  (text) => expect(inBytes(`[${text}]`)).toBeUndefined(),
);

test('what PostgreSQL spelt with blanks, short or long, is not parsed', () => {
  const values = ['short', 'long '.repeat(300)].map((text) => ({ text, list: [1, { text }] }));
  const parse = jest.spyOn(JSON, 'parse');
  const text = inBytes(`[${values.map((value) => marked(withBlanks(value)))}]`);
  const parsed = parse.mock.calls.length;
  parse.mockRestore();
  expect(text).toBe(JSON.stringify(values));
  expect(parsed).toBe(0);
});

test('bytes that are no UTF-8 become such', () => {
  const bytes = Buffer.concat([Buffer.from('["'), Buffer.from([0xff]), Buffer.from(`",${marked('1')}]`)]);
  expect(renderMarkedBytes(bytes)!.toString()).toBe('["\ufffd",1]');
});
