import { registryOf, things } from '../content.fixture';
import { nestedKinds } from '../nested';
import { findRows } from './resolve-links';

test('the time to look up rows grows as their number does', async () => {
  const relation = { type: 'relation', relation: 'manyToMany', target: 'api::thing.thing' };
  const registry = registryOf([things({ related: relation })], { kinds: nestedKinds });
  const nested = registry.get('api::thing.thing').nested.get('related')!;
  const change = { set: Array.from({ length: 200_000 }, (_, at) => ({ id: at + 1 })) };
  const transaction = { rows: async () => [] } as never;
  const begun = performance.now();
  const complaint = await findRows([{ nested, change }], {
    transaction,
    registry,
    found: new Map(),
    owners: new Map(),
  });
  expect(complaint).toMatch(/^200000 relation/);
  expect(performance.now() - begun).toBeLessThan(5_000);
});
