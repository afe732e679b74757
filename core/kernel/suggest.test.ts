import { didYouMean } from './suggest';

test('a near name is suggested, the nearest first', () => {
  expect(didYouMean('deph', ['width', 'depth', 'death'])).toBe(' Did you mean "depth"?');
  expect(didYouMean('detph', ['depth'])).toBe(' Did you mean "depth"?');
  expect(didYouMean('COLOR', ['color'])).toBe(' Did you mean "color"?');
});

test('a far one is not', () => {
  expect(didYouMean('x', ['color', 'depth'])).toBe('');
  expect(didYouMean('color', [])).toBe('');
});
