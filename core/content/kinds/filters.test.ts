import type { Bound } from '../store';
import { kindOf } from './checking.fixture';
import { UnfitValue } from './kind';

describe('filters', () => {
  const filters = (type: string, pairs: readonly (readonly [unknown, Bound])[]): void => {
    for (const [given, bound] of pairs) expect([given, kindOf(type).toFilter(given)]).toEqual([given, bound]);
  };
  const unfit = (type: string, values: readonly unknown[]): void => {
    for (const given of values) expect(() => kindOf(type).toFilter(given)).toThrow(UnfitValue);
  };

  test('texts are compared as they are', () => {
    for (const type of ['string', 'text', 'richtext', 'email', 'uid', 'enumeration'])
      filters(type, [
        ['a', 'a'],
        ['', ''],
        [5, '5'],
      ]);
  });

  test('numbers', () => {
    for (const type of ['integer', 'float', 'decimal']) {
      filters(type, [
        ['30.0', 30],
        ['3e1', 30],
        [' 30', 30],
        ['0x1e', 30],
        ['+30', 30],
        ['.5', 0.5],
        ['99999999999999999999', 1e20],
      ]);
      unfit(type, ['', 'abc', '30abc', '1,5', 'NaN', 'Infinity', 'null', 'true']);
    }
    filters('biginteger', [
      [' 12 ', 12n],
      ['-9007199254740993', -9007199254740993n],
      ['9'.repeat(40), BigInt('9'.repeat(40))],
    ]);
    unfit('biginteger', ['12.0', '1e1', '12.5', '', 'x']);
  });

  test('booleans', () => {
    filters('boolean', [
      ['false', false],
      ['0', false],
      ['f', false],
      ['', false],
      ['no', true],
      ['TRUE', true],
      ['null', true],
    ]);
  });

  test('times', () => {
    filters('date', [['2021-06-01 00:00', '2021-06-01']]);
    filters('time', [['09:00:00.5', '09:00:00.500']]);
    filters('datetime', [
      ['2021-06', '2021-06-01T00:00:00.000Z'],
      ['1622505600000', '2021-06-01T00:00:00.000Z'],
      ['2020', '2020-01-01T00:00:00.000Z'],
    ]);
    unfit('date', ['2021-6-1', '', 'x', '2021-02-30']);
    unfit('time', ['10:00', '9:00:00', '25:00:00', '']);
    unfit('datetime', ['', 'null', 'true', '2020-02-30', '2021-6-1', '06/01/2021', ' 2021-06-01']);
  });
});
