import { explain } from '../reporters/text';
import type { Target } from '../targets/target';
import { validSpecification } from './load';
import { mirrorId } from './mirror';
import type { RowResult, Status } from './result';
import { commonFeatures, type Feature, type Row, type Scenes } from './row';
import { idle, missingFeatures, type Selection, selects } from './select';
import { openSession, type Session } from './session';

export interface DescribeOptions extends Selection {
  /** What the target will declare. Jest wants to know at registration what to skip. */
  features?: readonly Feature[];
  /** The rows to register; those of the specification when absent. */
  rows?: Row[];
  scenes?: Scenes;
  /** Stops whatever `makeTarget` started. */
  stop?: () => Promise<void>;
}

/** Registers one Jest test per row. The target is made once, before the first, and is nobody else's. */
export function describeRows(makeTarget: () => Target | Promise<Target>, options: DescribeOptions = {}): void {
  const specification = validSpecification();
  const { rows, scenes } = options.rows
    ? { rows: options.rows, scenes: options.scenes ?? {} }
    : { ...specification, rows: [...specification.rows, ...specification.smoke] };
  const declared = { features: new Set(options.features ?? commonFeatures), exclusive: true };
  let session: Session;
  beforeAll(async () => {
    session = openSession({ ...options, target: await makeTarget(), scenes, features: specification.features });
  });
  afterAll(async () => {
    const leftovers = session ? await session.close() : [];
    await options.stop?.();
    expect(leftovers).toEqual([]);
  });
  const selected = rows.filter((row) => selects(options, row));
  for (const feature of missingFeatures(selected, declared, options)) {
    test(`${mirrorId(feature)}: what is declared off is not there`, async () => {
      const wrong = complaint(await session.mirror(feature), 'skip');
      if (wrong) throw new Error(wrong);
    });
  }
  for (const area of new Set(selected.map((row) => row.area))) {
    describe(area, () => {
      for (const row of selected.filter((candidate) => candidate.area === area)) {
        const register = idle(row, declared, options) ? test.skip : test;
        register(`${row.id}: ${row.title}`, async () => {
          const wrong = complaint(await session.play(row), 'pass');
          if (wrong) throw new Error(wrong);
        });
      }
    });
  }
}

const complaint = ({ status, reason, failure }: RowResult, wanted: Status): string | undefined =>
  status === wanted ? undefined : [status, reason, failure && explain(failure)].filter(Boolean).join('\n');
