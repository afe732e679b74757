import { z } from 'zod';
import { readJson } from '../runner/json-file';
import type { Specification } from '../runner/load';
import { mirrorId } from '../runner/mirror';
import { type RunResult, rowsOf } from '../runner/result';
import { commonFeatures } from '../runner/row';

/** Row id → why a deployment answers otherwise. */
const deviationsSchema = z.record(z.string(), z.string().min(1));

export type Deviations = z.infer<typeof deviationsSchema>;

export const readDeviations = (file: string): Deviations => readJson(file, deviationsSchema);

/** Which rows are derived from schema files depends on these, and on what a target keeps. */
const isDerived = (id: string): boolean => id.startsWith('own.');

/** A row that is not there can neither fail nor pass: its name is misspelt, or it is gone. */
export function checkDeviations(known: Deviations, { rows, smoke }: Pick<Specification, 'rows' | 'smoke'>): void {
  const ids = new Set([...[...rows, ...smoke].map(({ id }) => id), ...commonFeatures.map(mirrorId)]);
  const unknown = Object.keys(known).filter((id) => !ids.has(id) && !isDerived(id));
  if (unknown.length > 0)
    throw new Error(`The list of deviations names what no row is called: ${unknown.join(', ')}. Correct or remove it.`);
}

/** Where a run and its list of known deviations disagree: failures without a reason, reasons without a failure. */
export function surprises(result: RunResult, known: Deviations): string[] {
  return rowsOf(result).flatMap((row) => {
    if (row.status === 'pass' && known[row.id]) return [`${row.id} passes, yet is listed as a deviation`];
    if (row.status === 'fail' && !known[row.id]) return [`${row.id} fails, and is not listed`];
    return [];
  });
}
