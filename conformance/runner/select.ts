import type { Target } from '../targets/target';
import type { Feature, Level, Row } from './row';

export interface Selection {
  /** Row ids that start with one of these; all rows when empty. */
  only?: string[];
  levels?: Level[];
  /** Features switched off by the caller though the target has them. */
  off?: Feature[];
}

export const selects = (selection: Selection, row: Row): boolean =>
  (!selection.only?.length || selection.only.some((prefix) => row.id.startsWith(prefix))) &&
  (!selection.levels || selection.levels.includes(row.level));

/** Why a selected row is not played, or nothing when it is. */
export function idle(
  row: Row,
  target: Pick<Target, 'features' | 'exclusive'>,
  selection: Selection,
): { status: 'disabled' | 'skip'; reason: string } | undefined {
  const off = row.needs.find((feature) => selection.off?.includes(feature));
  if (off) return { status: 'disabled', reason: `${off} is switched off for this run` };
  const missing = row.needs.find((feature) => !target.features.has(feature));
  if (missing) return { status: 'skip', reason: `the target does not declare ${missing}` };
  const unwanted = row.without?.find((feature) => target.features.has(feature));
  if (unwanted) return { status: 'skip', reason: `is about a target without ${unwanted}` };
  if (row.exclusive && !target.exclusive)
    return { status: 'skip', reason: `writes ${row.exclusive}; needs a target that is ours alone (exclusive)` };
  return undefined;
}
