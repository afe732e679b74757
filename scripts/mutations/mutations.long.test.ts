import { validSpecification } from '../../conformance/runner/load';
import { verdictOn } from './check';
import { draw } from './draw';

const specification = validSpecification();

test('of forty small ways of being wrong, drawn anew each time, at least 39 are noticed', async () => {
  const seed = Date.now() % 2 ** 31;
  const missed: string[] = [];
  for (const { rule, mutation } of draw(seed, 40)) {
    if (!(await verdictOn(mutation, specification)).noticedBy) missed.push(`${mutation.id} of ${rule}, seed ${seed}`);
  }
  expect(missed.slice(1)).toEqual([]);
}, 900_000);
