import { inOrder } from './order';
import type { AnyPlugin } from './plugin';

const plugin = (name: string, rest: Partial<AnyPlugin> = {}): AnyPlugin => ({ name, apply: () => undefined, ...rest });
const names = (plugins: readonly AnyPlugin[]): string[] => inOrder(plugins).map(({ name }) => name);

test('plugins keep their order unless they say otherwise', () => {
  expect(names([plugin('c'), plugin('a'), plugin('b')])).toEqual(['c', 'a', 'b']);
});

test('requirements, after and before are obeyed; what is absent is only missed where it is required', () => {
  expect(names([plugin('a', { requires: ['b'] }), plugin('b', { after: ['c', 'absent'] }), plugin('c')])).toEqual([
    'c',
    'b',
    'a',
  ]);
  expect(names([plugin('a'), plugin('b', { before: ['a', 'absent'] })])).toEqual(['b', 'a']);
});

test('a missing requirement names both plugins and a likely remedy', () => {
  expect(() => inOrder([plugin('blog', { requires: ['storage'] }), plugin('storag')])).toThrow(
    /plugin "blog": requires plugin "storage", which is not there or is switched off\. .*Did you mean "storag"\?/,
  );
});

test('all missing and double plugins are told at once', () => {
  expect(() => inOrder([plugin('a', { requires: ['x'] }), plugin('a', { requires: ['y'] })])).toThrow(/3 problems/);
});

test('a cycle is shown as a chain', () => {
  const cycle = [plugin('a', { after: ['b'] }), plugin('b', { requires: ['c'] }), plugin('c', { after: ['a'] })];
  expect(() => inOrder(cycle)).toThrow('plugin "a": waits for itself: a → b → c → a.');
});
