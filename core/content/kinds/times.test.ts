import { check, keeps } from './checking.fixture';

describe('times that can not be read are told alone', () => {
  const unreadable = (type: string, pairs: readonly (readonly [unknown, string])[]): void => {
    for (const [given, message] of pairs)
      for (const strictness of ['complete', 'sketch'] as const)
        expect([given, check({ type }, given, strictness)]).toEqual([given, { unreadable: message }]);
  };

  test('date', () => {
    keeps({ type: 'date' }, [
      ['2024-01-01', '2024-01-01'],
      ['2024-01-01T23:30:00-05:00', '2024-01-01'],
      ['2024-01-01x', '2024-01-01'],
      ['0000-01-01', '0000-01-01'],
      ['2024-02-29', '2024-02-29'],
    ]);
    const form = [
      '',
      5,
      1704067200000,
      '2024-1-1',
      '2024-13-01',
      '2024-00-01',
      '2024-01-00',
      '2024-01-32',
      true,
      {},
      [],
      ' 2024-01-01',
    ];
    unreadable(
      'date',
      form.map((given) => [given, 'Invalid format, expected yyyy-MM-dd']),
    );
    unreadable('date', [
      ['2023-02-29', 'Invalid date'],
      ['2024-02-30', 'Invalid date'],
    ]);
  });

  test('time', () => {
    keeps({ type: 'time' }, [
      ['10:11:12', '10:11:12.000'],
      ['10:11:12.5', '10:11:12.500'],
      ['23:59:59.999', '23:59:59.999'],
    ]);
    unreadable(
      'time',
      ['24:00:00', '10:00', '10:00:00Z', ' 10:00:00', '10:00:00.0000', ''].map((given) => [
        given,
        'Invalid time format, expected HH:mm:ss.SSS',
      ]),
    );
    unreadable('time', [
      [5, 'Expected a string, got a number'],
      [true, 'Expected a string, got a boolean'],
      [{}, 'Expected a string, got a object'],
      [[], 'Expected a string, got a object'],
    ]);
  });

  test.each(['datetime', 'timestamp'])('%s', (type) => {
    keeps({ type }, [
      ['2024', '2024-01-01T00:00:00.000Z'],
      ['50', '5000-01-01T00:00:00.000Z'],
      ['5', '1970-01-01T00:00:00.005Z'],
      ['202401', '2024-01-01T00:00:00.000Z'],
      ['202413', '1970-01-01T00:03:22.413Z'],
      [1000, '1000-01-01T00:00:00.000Z'],
      [1, '1970-01-01T00:00:00.001Z'],
      [0, '1970-01-01T00:00:00.000Z'],
      [-1, '1969-12-31T23:59:59.999Z'],
      ['1704067200000', '2024-01-01T00:00:00.000Z'],
      ['2024-01-01T00:00:00+01:30', '2023-12-31T22:30:00.000Z'],
    ]);
    unreadable(
      type,
      [
        '',
        true,
        false,
        {},
        [],
        1.5,
        1e20,
        'x',
        '2023-02-29',
        '2023-13-01',
        '2024-01-01T25:00',
        ' 2024-01-01',
        '12:00',
      ].map((given) => [given, 'Invalid format, expected a timestamp or an ISO date']),
    );
    unreadable(type, [['+010000-01-01', 'Invalid format, expected a timestamp or an ISO date']]);
  });
});
