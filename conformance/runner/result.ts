import type { WireRequest } from '../targets/target';
import type { Difference } from './matchers';
import type { Expectation, Feature, Json, Level, Row } from './row';

/** From best to worst; a parent takes its worst child. */
export const statusNames = ['pass', 'disabled', 'skip', 'fail', 'error'] as const;
export type Status = (typeof statusNames)[number];

export interface Failure {
  step: number;
  /** Its body as a text. */
  request: Omit<WireRequest, 'body'> & { body?: string };
  expected: Expectation;
  answer?: { status: number; type: string; body: Json };
  differences: Difference[];
}

export interface RowResult {
  id: string;
  title: string;
  area: string;
  level: Level;
  rules: string[];
  status: Status;
  milliseconds: number;
  reason?: string;
  failure?: Failure;
}

export interface RunResult {
  target: string;
  run: string;
  /** When it began, as ISO 8601 has it. */
  started: string;
  milliseconds: number;
  /** What the target declares. */
  features: Feature[];
  status: Status;
  counts: Record<Status, number>;
  areas: { area: string; status: Status; rows: RowResult[] }[];
  /** What the run made and could not take away. */
  leftovers: string[];
}

export const worst = (statuses: Status[]): Status =>
  statuses.reduce<Status>((a, b) => (statusNames.indexOf(b) > statusNames.indexOf(a) ? b : a), 'pass');

export const rowResult = (row: Row, status: Status, rest: Partial<RowResult> = {}): RowResult => ({
  id: row.id,
  title: row.title,
  area: row.area,
  level: row.level,
  rules: row.rules,
  status,
  milliseconds: 0,
  ...rest,
});

type About = Pick<RunResult, 'target' | 'run' | 'started' | 'milliseconds' | 'features' | 'leftovers'>;

export function summary(about: About, rows: RowResult[]): RunResult {
  const areas = [...new Set(rows.map((row) => row.area))].map((area) => {
    const inside = rows.filter((row) => row.area === area);
    return { area, status: worst(inside.map((row) => row.status)), rows: inside };
  });
  const count = (status: Status) => rows.filter((row) => row.status === status).length;
  const counts = Object.fromEntries(statusNames.map((status) => [status, count(status)])) as Record<Status, number>;
  return { ...about, status: worst(areas.map((area) => area.status)), counts, areas };
}

export const rowsOf = (result: RunResult): RowResult[] => result.areas.flatMap((area) => area.rows);

export const isBad = ({ status }: Pick<RowResult, 'status'>): boolean => status === 'fail' || status === 'error';
