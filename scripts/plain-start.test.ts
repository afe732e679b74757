import fc from 'fast-check';
import { runCommand } from './command-line';
import { start } from './commands/start';
import { plainStart } from './plain-start';

jest.mock('./commands/start', () => ({ start: jest.fn(async () => 0) }));
const started = jest.mocked(start);

/** What the whole command line starts a service with; undefined if it starts none. */
async function wholly(args: readonly string[]): Promise<object | undefined> {
  started.mockClear();
  await runCommand(args);
  return started.mock.calls[0]?.[0];
}

beforeEach(() => {
  jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
});

test.each([
  [['start'], {}],
  [['start', '--app', 'a', '--data=d', '--host', '::1', '--port', '0'], { app: 'a', data: 'd', host: '::1', port: 0 }],
])('%j starts a service without more ado', async (args, options) => {
  expect(plainStart(args)).toEqual(options);
  expect(await wholly(args)).toEqual(options);
});

test.each([
  [[]],
  [['dev']],
  [['start', '--workers', '2']],
  [['start', '--port', '70000']],
  [['start', '--port', '-', '--port', '80']],
  [['start', '--port', '1e3']],
  [['start', '--help']],
  [['start', 'there']],
  [['start', '--prot', '1']],
  [['start', '--app']],
  [['--version']],
])('%j is left to the whole command line', (args) => {
  expect(plainStart(args)).toBeUndefined();
});

test('both read the same', async () => {
  const words = fc.constantFrom(
    ...['--app', '--data', '--port', '--host', '--app=', '--port=80', '--host=h', '--workers', '--', '-V', '-', ''],
    ...['start', 'dev', 'a', '80', '080', '-1', '65536', '__proto__', '--__proto__'],
  );
  await fc.assert(
    fc.asyncProperty(fc.array(words, { maxLength: 5 }), async (more) => {
      const args = ['start', ...more];
      const plain = plainStart(args);
      if (plain) expect(await wholly(args)).toEqual(plain);
    }),
    { numRuns: 2_000 },
  );
});
