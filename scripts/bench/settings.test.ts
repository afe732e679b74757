import { join } from 'node:path';
import { refusing } from './refusing.fixture';
import { scenarios } from './scenarios';
import { settingsFrom } from './settings';

test('numbers may have a unit, lists commas', () => {
  const line = '--articles 10k --warm-up 12 --connections 1,8 --only list,populate=* --as public';
  expect(settingsFrom(line.split(' '))).toEqual({
    articles: 10_000,
    database: 'sqlite',
    rounds: 3,
    seconds: 5,
    warmUp: 12,
    connections: [1, 8],
    only: ['list', 'populate=*'],
    as: ['public'],
  });
});

test('every scenario can be asked for by its name', () => {
  const all = scenarios.map(({ name }) => name);
  expect(settingsFrom(['--only', all.join()]).only).toEqual(all);
});

test.each([
  [['--as', 'token,admin'], 'Known are token and public.'],
  [['--only', 'lists'], 'Known are "list"'],
  [['--svg', 'chart.svg'], '--svg needs --peer'],
  [['--rounds', '0'], 'It must be a whole number above zero'],
  [['--connections', '1,1.5'], 'It must be a whole number above zero'],
  [['--peer', __dirname], 'It is no folder with a script `start` that can be run.'],
  [['--json', join(__dirname, 'nowhere', 'figures.json')], 'It can not be written there.'],
  [['--json', __dirname], 'It is a folder.'],
])('%j is refused', (args, told) => {
  expect(refusing(() => settingsFrom(args))).toContain(told);
});
