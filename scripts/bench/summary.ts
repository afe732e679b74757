import type { Candidate } from './candidates';
import type { Measurement } from './measure';
import type { Scenario } from './scenarios';

type Name = Candidate['name'];

export const median = (values: readonly number[]): number => {
  const ordered = [...values].sort((a, b) => a - b);
  const middle = ordered.length / 2;
  if (ordered.length === 0) return Number.NaN;
  return ordered.length % 2 === 1 ? ordered[Math.floor(middle)]! : (ordered[middle - 1]! + ordered[middle]!) / 2;
};

export interface Figures {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly processor: number;
  readonly failed: number;
  readonly failure?: string;
}

/** A scenario's line: each candidate's medians, and how many times a reference ours is, as the median of all rounds. */
export interface Line {
  readonly scenario: string;
  readonly caller: string;
  readonly connections: number;
  readonly figures: Partial<Record<Name, Figures>>;
  readonly ratios: Partial<Record<'peer' | 'floor', number>>;
  /** The ratios that are to be reached. */
  readonly targets: Partial<Record<'peer' | 'floor', number>>;
}

const firstFailure = (all: readonly Measurement[]): Pick<Figures, 'failure'> => {
  const failure = all.find((each) => each.failure !== undefined)?.failure;
  return failure === undefined ? {} : { failure };
};

const figuresOf = (all: readonly Measurement[]): Figures => ({
  perSecond: median(all.map(({ perSecond }) => perSecond)),
  p50: median(all.map(({ p50 }) => p50)),
  p99: median(all.map(({ p99 }) => p99)),
  processor: median(all.map(({ processor }) => processor)),
  failed: all.reduce((sum, { failed }) => sum + failed, 0),
  ...firstFailure(all),
});

/** Ratios are taken within a round, where both met the same machine. */
function ratio(ours: readonly Measurement[], theirs: readonly Measurement[]): number {
  const pairs = ours.flatMap(({ round, perSecond }) =>
    theirs.filter((other) => other.round === round).map((other) => perSecond / other.perSecond),
  );
  return median(pairs);
}

export function summarize(measurements: readonly Measurement[], scenarios: readonly Scenario[]): Line[] {
  const keys = new Map(
    measurements.map(({ scenario, caller, connections }) => [
      `${scenario} ${caller} ${connections}`,
      { scenario, caller, connections },
    ]),
  );
  return [...keys.values()].map(({ scenario, caller, connections }) => {
    const own = measurements.filter(
      (each) => each.scenario === scenario && each.caller === caller && each.connections === connections,
    );
    const of = (name: Name): Measurement[] => own.filter(({ candidate }) => candidate === name);
    const names = (['heddle', 'floor', 'peer'] as const).filter((name) => of(name).length > 0);
    const references = names.filter((name): name is 'peer' | 'floor' => name !== 'heddle');
    return {
      scenario,
      caller,
      connections,
      figures: Object.fromEntries(names.map((name) => [name, figuresOf(of(name))])),
      ratios: Object.fromEntries(references.map((name) => [name, ratio(of('heddle'), of(name))])),
      targets: scenarios.find(({ name }) => name === scenario)?.target ?? {},
    };
  });
}
