import type { DialectName } from '../dialects/dialect';
import type { Change } from './changes';
import { statementsOf } from './ddl';
import type { MadeBy } from './made-by';
import type { Run } from './run';

interface Step {
  readonly change: Change;
  readonly statements: readonly string[];
}

/** Makes the changes, in an order in which no foreign key points to a table that is not there yet. */
export async function applyChanges(
  run: Run,
  dialect: DialectName,
  changes: readonly Change[],
  madeBy: MadeBy,
): Promise<void> {
  const steps = stepsOf(dialect, changes, madeBy);
  if (dialect !== 'mysql') return runSteps(run, dialect, steps);
  // MariaDB alone refuses keys to tables that are still to come, within one `create table` each.
  await run('set foreign_key_checks = 0');
  try {
    await runSteps(run, dialect, steps);
  } catch (error) {
    // The first error is the one to tell.
    await run('set foreign_key_checks = 1').catch(() => undefined);
    throw error;
  }
  await run('set foreign_key_checks = 1');
}

function stepsOf(dialect: DialectName, changes: readonly Change[], madeBy: MadeBy): Step[] {
  const all = changes.map((change) => ({ change, ...statementsOf(dialect, change, madeBy) }));
  return [
    ...all.map(({ change, now }) => ({ change, statements: now })),
    ...all.map(({ change, later }) => ({ change, statements: later })),
  ];
}

async function runSteps(run: Run, dialect: DialectName, steps: readonly Step[]): Promise<void> {
  for (const { change, statements } of steps) {
    // Only PostgreSQL takes several statements at once.
    const batches = dialect === 'postgres' && statements.length > 0 ? [statements.join(';\n')] : statements;
    for (const batch of batches) {
      try {
        await run(batch);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`Could not ${change.description}: ${reason}`, { cause: error });
      }
    }
  }
}
