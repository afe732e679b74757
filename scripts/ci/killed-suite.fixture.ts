import { type Killable, makeKillable, type WriteCase } from './killed.fixture';

/** Declares a test for each write, which is killed at the statements that `cutsOf` chooses out of so many. */
export function declareKillTests(
  writes: readonly WriteCase[],
  cutsOf: (statements: number) => readonly number[],
): void {
  test.each(writes.map((write) => [write.name, write] as const))(
    '%s whose process is killed leaves everything as it was or wholly done, and can be done again',
    async (_name, write) => {
      const service: Killable = await makeKillable();
      try {
        const before = await service.rows();
        const statements = await service.statements(write);
        expect(statements).toBeGreaterThanOrEqual(5);
        expect(await service.rows()).toEqual(before);

        for (const cut of [...cutsOf(statements).map(String), 'before commit']) {
          expect([cut, await service.send(write, cut)]).toEqual([cut, undefined]);
          expect([cut, await service.rows()]).toEqual([cut, before]);
        }

        expect(await service.send(write, 'behind commit')).toBeUndefined();
        expect(await service.rows()).not.toEqual(before);
        expect(await service.faults()).toEqual([]);
        expect([200, 201, 204]).toContain(await service.send(write));
        expect(await service.faults()).toEqual([]);
      } finally {
        await service.remove();
      }
    },
  );
}
