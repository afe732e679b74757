import type { Target } from '../targets/target';
import { type Feature, type Level, preparedFeatures, type Row } from './row';

export interface Selection {
  /** Row ids that start with one of these; all rows when empty. */
  only?: string[];
  levels?: Level[];
  /** Features switched off by the caller though the target has them. */
  off?: Feature[];
  /** Row id → why it is skipped, where that is known before. */
  skips?: Record<string, string> | undefined;
}

export interface Idleness {
  status: 'disabled' | 'skip';
  reason: string;
  /** The feature that the target declares off: that it is off must be seen. */
  missing?: Feature;
}

const isPrepared = (feature: Feature): boolean => preparedFeatures.some((name) => name === feature);

type Declared = Pick<Target, 'features' | 'exclusive'>;

export const selects = (selection: Selection, row: Row): boolean =>
  (!selection.only?.length || selection.only.some((prefix) => row.id.startsWith(prefix))) &&
  (!selection.levels || selection.levels.includes(row.level));

/** Why a selected row is not played, or nothing when it is. */
export function idle(row: Row, target: Declared, selection: Selection): Idleness | undefined {
  const known = selection.skips?.[row.id];
  if (known !== undefined) return { status: 'skip', reason: known };
  const off = row.needs.find((feature) => selection.off?.includes(feature));
  if (off) return { status: 'disabled', reason: `${off} is switched off for this run` };
  const missing = row.needs.find((feature) => !target.features.has(feature));
  if (missing && isPrepared(missing)) return { status: 'skip', reason: `the target is not prepared for ${missing}` };
  if (missing) return { status: 'skip', reason: `the target declares ${missing} off`, missing };
  const unwanted = row.without?.find((feature) => target.features.has(feature));
  if (unwanted) return { status: 'skip', reason: `is about a target without ${unwanted}` };
  if (row.exclusive && !target.exclusive)
    return { status: 'skip', reason: `writes ${row.exclusive}; needs a target that is ours alone (exclusive)` };
  return undefined;
}

/** The features that the target declares off, as far as selected rows are about them or their absence. */
export function missingFeatures(rows: Row[], target: Declared, selection: Selection): Feature[] {
  const absences = rows.filter((row) => row.without && !idle(row, target, selection)).flatMap((row) => row.without!);
  return [...new Set([...rows.flatMap((row) => idle(row, target, selection)?.missing ?? []), ...absences])];
}
