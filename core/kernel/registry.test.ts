import { createRegistry } from './registry';

test('what was added is found, with its owner and in order', () => {
  const registry = createRegistry<number>('number', () => 'counting');
  registry.add('one', 1);
  registry.add('two', 2);
  expect([registry.get('one'), registry.has('two'), registry.names(), registry.ownerOf('two')]).toEqual([
    1,
    true,
    ['one', 'two'],
    'counting',
  ]);
  expect([...registry.entries()]).toEqual([
    ['one', 1],
    ['two', 2],
  ]);
});

test('a missing name is refused with the one that was meant, or all there are', () => {
  const registry = createRegistry<number>('number', () => 'counting');
  expect(() => registry.require('one', 'route GET /')).toThrow(
    'route GET /: asks for number "one", which no plugin registers. Known: none.',
  );
  registry.add('seven', 7);
  expect(() => registry.require('sevn', 'a plugin')).toThrow('Did you mean "seven"?');
});

test('nothing is added twice, or after start-up', () => {
  const registry = createRegistry<number>('number', () => 'counting');
  registry.add('one', 1);
  expect(() => registry.add('one', 1)).toThrow(
    'number "one": is registered by plugin "counting" and by plugin "counting".',
  );
  registry.seal();
  expect(() => registry.add('two', 2)).toThrow('plugin "counting": registers number "two" after start-up.');
});

test('a value of the wrong shape names who gave it', () => {
  const isNumber = (value: unknown) =>
    typeof value === 'number' ? undefined : { what: 'is no number.', remedy: 'Count.' };
  const registry = createRegistry<number>('number', () => 'counting', isNumber);
  expect(() => registry.add('one', 'one' as never)).toThrow(
    'plugin "counting": registers number "one", which is no number. Count.',
  );
  expect(registry.has('one')).toBe(false);
});
