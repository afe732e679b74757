import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDeviations } from './command/deviations';
import { readProfile } from './command/profile';
import type { Summary } from './reporters/summary';
import { validSpecification } from './runner/load';

const folder = join(__dirname, 'reports');
const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
const deviations = readDeviations(join(folder, 'peer-deviations.json'));
const ids = new Set(validSpecification().rows.map(({ id }) => id));

test('what is listed as a deviation of the peer is a row', () => {
  expect(Object.keys(deviations).filter((id) => !ids.has(id))).toEqual([]);
});

test('the kept report of the peer fails nothing that is not listed', () => {
  const { failed } = read('peer.json') as Summary;
  expect(failed.filter((id) => !deviations[id])).toEqual([]);
  expect(failed.length).toBeGreaterThan(0);
  expect(readProfile(join(folder, 'peer-profile.json')).deviations).toBe('peer-deviations.json');
});

test.each(['sqlite', 'mysql', 'postgres'])('the kept report of Heddle on %s has no failure', (client) => {
  const { failed, counts } = read(`heddle-${client}.json`) as Summary;
  expect(failed).toEqual([]);
  expect(counts.pass).toBeGreaterThan(600);
});

test('the kept mutations were noticed, but for one at most', () => {
  const { count, noticed, verdicts } = read('mutations.json');
  expect(count).toBe(40);
  expect(verdicts.filter(({ noticedBy }: { noticedBy?: string }) => noticedBy)).toHaveLength(noticed);
  expect(noticed).toBeGreaterThanOrEqual(39);
});
