import { type RowResult, type RunResult, summary } from './result';
import type { Row } from './row';
import { missingFeatures, selects } from './select';
import { openSession, type SessionOptions } from './session';

export interface RunOptions extends SessionOptions {
  rows: Row[];
  /** Aborting ends the run after the row in play; what it made is still taken away. */
  signal?: AbortSignal | undefined;
  onRow?: ((result: RowResult) => void) | undefined;
}

/** Plays the selected rows, one after the other, and leaves nothing behind. */
export async function run(options: RunOptions): Promise<RunResult> {
  const session = openSession(options);
  const results: RowResult[] = [];
  const record = (result: RowResult) => {
    results.push(result);
    options.onRow?.(result);
  };
  let leftovers: string[] = [];
  try {
    const rows = options.rows.filter((row) => selects(options, row));
    for (const feature of missingFeatures(rows, options.target, options)) record(await session.mirror(feature));
    for (const row of rows) {
      if (options.signal?.aborted) break;
      record(await session.play(row));
    }
  } finally {
    leftovers = await session.close();
  }
  return summary(options.target.name, session.run, results, leftovers);
}
