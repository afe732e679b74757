import { dummyTargets } from '../targets/dummy';
import { load } from './load';
import { run } from './run';

/** Row id → why a server that does nothing may pass it. */
const excused: Record<string, string> = {};

test.each(dummyTargets.map((target) => [target.name, target] as const))(
  'no row passes against %s',
  async (_, target) => {
    const { specification } = load();
    const rows = [...specification.rows, ...specification.smoke];
    const { areas } = await run({ ...specification, rows, target });
    const passed = areas.flatMap(({ rows }) => rows).filter(({ status, id }) => status === 'pass' && !excused[id]);
    expect(passed.map(({ id }) => id)).toEqual([]);
  },
);

test.each(dummyTargets.map((target) => [target.name, target] as const))(
  'nothing is credited to %s where it declares everything off',
  async (_, target) => {
    const { specification } = load();
    const { counts } = await run({ ...specification, target: { ...target, features: new Set() } });
    expect(counts.pass).toBe(0);
  },
);
