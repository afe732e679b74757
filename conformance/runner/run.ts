import { type RowResult, type RunResult, summary } from './result';
import type { Row } from './row';
import { selects } from './select';
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
  let leftovers: string[] = [];
  try {
    for (const row of options.rows.filter((candidate) => selects(options, candidate))) {
      if (options.signal?.aborted) break;
      const result = await session.play(row);
      results.push(result);
      options.onRow?.(result);
    }
  } finally {
    leftovers = await session.close();
  }
  return summary(options.target.name, session.run, results, leftovers);
}
