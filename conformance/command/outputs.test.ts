import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validSpecification } from '../runner/load';
import { summary } from '../runner/result';
import { outputsOf, writeOutputs } from './outputs';

const folder = mkdtempSync(join(tmpdir(), 'outputs-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a report without a name is none that was asked for', () => {
  const options = { reportJson: '', reportJunit: undefined, reportHtml: 'a.html' };
  expect(outputsOf(options, validSpecification()).map(([file]) => file)).toEqual(['a.html']);
});

test('what goes wrong in a reporter is not told as a file that can not be written', () => {
  const file = join(folder, 'report');
  const result = summary({ target: 't', run: 'r', features: [], leftovers: [], started: '', milliseconds: 0 }, []);
  const broken = (): never => {
    throw new Error('the reporter is broken');
  };
  expect(() => writeOutputs([[file, broken]], result)).toThrow(/^the reporter is broken$/);
  expect(existsSync(file)).toBe(false);
});
