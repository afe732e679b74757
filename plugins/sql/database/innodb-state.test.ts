import { innodbState } from './innodb-state';

const report = (...transactions: readonly string[]): string => `
=====================================
2026-11-20 23:31:18 0x7f2c7010a6c0 INNODB MONITOR OUTPUT
=====================================
------------
TRANSACTIONS
------------
Trx id counter 2846
Purge done for trx's n:o < 2825 undo n:o < 0 state: running
History list length 10
LIST OF TRANSACTIONS FOR EACH SESSION:
${transactions.map((each) => `---TRANSACTION ${each}\n0 lock struct(s), heap size 1128, 0 row lock(s)\n`).join('')}--------
FILE I/O
--------
`;

test('who has written is told from who reads, and from who does nothing', () => {
  const idle = '(0x7f2c70e38680), not started';
  const reading = '(0x7f2c70e3f280), ACTIVE 2 sec fetching rows';
  expect(innodbState(report())).toEqual({ counter: '2846', isAtRest: true });
  expect(innodbState(report(idle, reading))).toEqual({ counter: '2846', isAtRest: true });
  for (const writing of [
    '2845, ACTIVE 0 sec',
    '2845, ACTIVE (PREPARED) 7 sec',
    '2845, ACTIVE (PREPARED) 7 sec recovered trx',
    '2845, COMMITTED IN MEMORY',
  ])
    expect(innodbState(report(idle, writing, reading))).toEqual({ counter: '2846', isAtRest: false });
});

test('a report that is not whole, or has been made to look otherwise, tells nothing', () => {
  const told = report();
  expect(innodbState('')).toBeUndefined();
  expect(innodbState(told.replace('Trx id counter 2846\n', ''))).toBeUndefined();
  expect(innodbState(told.slice(0, told.indexOf('FILE I/O')))).toBeUndefined();
  expect(innodbState(told.replace('LIST OF TRANSACTIONS FOR EACH SESSION:\n', ''))).toBeUndefined();
  expect(innodbState(`Trx id counter 7\n${told}`)).toBeUndefined();
  expect(innodbState(`${told}${'x'.repeat(1_000_000)}`)).toBeUndefined();
  expect(innodbState(`${told}${'語'.repeat(400_000)}`)).toBeUndefined();
  expect(innodbState(told.replace('FILE I/O', '... truncated...\nFILE I/O'))).toBeUndefined();
});

test('what looks like a transaction makes it only seem that someone writes', () => {
  expect(innodbState(report('(0x7f2c70e3f280), ACTIVE 2 sec\nselect "\n---TRANSACTION 5, ACTIVE"'))).toEqual({
    counter: '2846',
    isAtRest: false,
  });
});
