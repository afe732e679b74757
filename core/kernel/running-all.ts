import type { RunsAll } from './hook-bag';

/** A hook of which all taps run, even when some fail: what they failed with is thrown afterwards. */
export function createRunningAll(isBackwards: boolean) {
  let failures: unknown[] = [];
  const taps: RunsAll = { isBackwards, failed: (error) => failures.push(error) };
  return {
    taps,
    async run(hook: { promise(): Promise<void> }): Promise<void> {
      failures = [];
      await hook.promise();
      if (failures.length === 1) throw failures[0];
      if (failures.length > 1) throw new AggregateError(failures, failures.map((each) => String(each)).join('\n'));
    },
  };
}
