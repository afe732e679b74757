import fc from 'fast-check';
import { close, open, renderMarked } from './sentinels';

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
