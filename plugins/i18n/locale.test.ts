import type { ChoiceContext, HeddleError } from '../../core';
import { localeDimension } from './locale';

const { choose, tie } = localeDimension({ byDefault: () => 'en', codes: () => ['en', 'fr', 'de'] });
const chosen = (given: unknown, action = 'find') => choose(given, { action } as ChoiceContext);

function refusal(given: unknown, action = 'find'): string {
  try {
    chosen(given, action);
  } catch (error) {
    return `${(error as HeddleError).name}: ${(error as Error).message}`;
  }
  return 'taken';
}

test.each([
  [undefined, { is: 'en' }],
  [false, { is: 'en' }],
  ['fr', { is: 'fr' }],
  [5, { is: '5' }],
  ['*', { any: true }],
  [['fr', 'fr', 'xx'], { oneOf: ['fr', 'xx'] }],
  [[], { oneOf: [] }],
  [{ $eq: 'fr' }, { is: 'fr' }],
  [{ $ne: 'fr' }, { oneOf: ['en', 'de'] }],
  [{ $in: 'fr' }, { oneOf: ['fr'] }],
  [{ $notIn: ['fr', 'de'] }, { oneOf: ['en'] }],
  [{ $null: false }, { any: true }],
  [{ $notNull: 'false' }, { oneOf: [] }],
])('lists take %j', (given, choice) => expect(chosen(given)).toEqual(choice));

const own = (text: string): unknown => JSON.parse(text);

test.each([
  { constructor: { any: true } },
  { constructor: 'en' },
  { toString: 1 },
  { valueOf: 1 },
  own('{"__proto__":1}'),
  { toString: 1, a: 2 },
  [{ toString: 1 }],
  [['en']],
  { $in: [{ toString: 1 }] },
  { $eq: ['en'] },
  { $ne: { a: 1 } },
  {},
])('%j selects nothing: it is refused, wherever it stands', (given) => {
  for (const action of ['find', 'delete', 'findOne', 'update'])
    expect(refusal(given, action)).toMatch(/^ValidationError: Invalid locale param .* provided\./);
  expect(tie!(given, undefined)).toHaveProperty('is');
});

test('very many locales are refused, and told briefly', () => {
  const many = Array.from({ length: 200_000 }, (_, index) => `l${index}`);
  expect(refusal(many)).toBe('ValidationError: A request may ask for 100 locales at most.');
  expect(refusal(many, 'update').length).toBeLessThan(300);
  expect(chosen(Array.from({ length: 200_000 }, () => 'fr'))).toEqual({ oneOf: ['fr'] });
});
