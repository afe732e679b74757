import { type RowResult, type RunResult, summary } from './result';
import type { Row } from './row';
import { missingFeatures, selects } from './select';
import { openSession, type SessionOptions } from './session';

export interface RunOptions extends SessionOptions {
  rows: Row[];
  /** How many rows are in play at a time. */
  concurrency?: number | undefined;
  onRow?: ((result: RowResult) => void) | undefined;
}

/** Plays the selected rows and leaves nothing behind. Results stand in the order of the rows, whichever ended first. */
export async function run(options: RunOptions): Promise<RunResult> {
  const { target, signal, concurrency = 1 } = options;
  const session = openSession(options);
  const started = new Date();
  const rows = options.rows.filter((row) => selects(options, row));
  const mirrors = missingFeatures(rows, target, options);
  const results: RowResult[] = [];
  const record = (place: number, result: RowResult) => {
    // A row that an interrupt cut short says nothing.
    if (signal?.aborted) return;
    results[place] = result;
    options.onRow?.(result);
  };
  const waiting = [...rows.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next && !signal?.aborted; next = waiting.shift()) {
      const [index, row] = next;
      record(mirrors.length + index, await session.play(row));
    }
  };
  let leftovers: string[] = [];
  try {
    for (const [place, feature] of mirrors.entries()) record(place, await session.mirror(feature));
    await Promise.all(Array.from({ length: concurrency }, work));
  } finally {
    leftovers = await session.close();
  }
  const about = { target: target.name, run: session.run, features: [...target.features], leftovers };
  const milliseconds = Date.now() - started.getTime();
  return summary({ ...about, started: started.toISOString(), milliseconds }, results.filter(Boolean));
}
