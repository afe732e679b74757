import { columns } from './columns';

test('cells stand below each other, and no line ends in spaces', () => {
  const rows = [
    ['METHOD', 'PATH'],
    ['GET', '/'],
    ['', '/articles'],
  ];
  expect(columns(rows, '  ')).toBe('  METHOD  PATH\n  GET     /\n          /articles');
});
