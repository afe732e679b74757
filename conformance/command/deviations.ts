import { z } from 'zod';
import { readJson } from '../runner/json-file';
import { type RunResult, rowsOf } from '../runner/result';

/** Row id → why a deployment answers otherwise. */
const deviationsSchema = z.record(z.string(), z.string().min(1));

export type Deviations = z.infer<typeof deviationsSchema>;

export const readDeviations = (file: string): Deviations => readJson(file, deviationsSchema);

/** Where a run and its list of known deviations disagree: failures without a reason, reasons without a failure. */
export function surprises(result: RunResult, known: Deviations): string[] {
  return rowsOf(result).flatMap((row) => {
    if (row.status === 'pass' && known[row.id]) return [`${row.id} passes, yet is listed as a deviation`];
    if (row.status === 'fail' && !known[row.id]) return [`${row.id} fails, and is not listed`];
    return [];
  });
}
