import { compileSlowly } from './compile-slowly';

const set = (version: string, options = ''): string[] => {
  const flags: string[] = [];
  const compileQuickly = compileSlowly(version, options, (flag) => void flags.push(flag));
  flags.push('started');
  compileQuickly();
  return flags;
};

test('from Node 24 on a start does without the quick compiler, and a service has it', () => {
  expect(set('24.0.0', '--v8-pool-size=1')).toEqual(['--no-maglev', 'started', '--maglev']);
  expect(set('26.1.0')).toEqual(['--no-maglev', 'started', '--maglev']);
});

test.each(['20.19.0', '22.23.5'])('on Node %s, which has it switched off, it stays so', (version) => {
  expect(set(version)).toEqual(['started']);
});

test.each(['--no-maglev', '--maglev', '--require x --jitless', '--nomaglev', '--lite_mode', '--no-opt'])(
  'who has chosen %s is left with it',
  (options) => {
    expect(set('24.0.0', options)).toEqual(['started']);
  },
);
