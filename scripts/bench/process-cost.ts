import type { Candidate } from './candidates';
import type { Memory } from './measure';
import { median } from './summary';

type Name = Candidate['name'];

export interface StartUp {
  readonly candidate: Name;
  readonly milliseconds: number;
}

/** How many times less than the peer a start and the memory after a load are to cost. */
const targets = { startUp: 10, memory: 5 };

/** How many times less ours is than the peer's; `!` marks what falls short of its target. */
function timesLess(values: ReadonlyMap<Name, number>, target: number): string {
  const reached = values.get('peer')! / values.get('heddle')!;
  if (Number.isNaN(reached)) return '';
  return `; ${reached.toFixed(1)} times less than the peer of ${target}${reached < target ? ' !' : ''}`;
}

const told = (values: ReadonlyMap<Name, string>): string =>
  [...values].map(([name, text]) => `${name} ${text}`).join(', ');

export function startUpsLine(all: readonly StartUp[]): string {
  const names = [...new Set(all.map(({ candidate }) => candidate))];
  const medians = new Map(
    names.map((name) => [
      name,
      median(all.filter(({ candidate }) => candidate === name).map(({ milliseconds }) => milliseconds)),
    ]),
  );
  const texts = new Map([...medians].map(([name, value]) => [name, `${value.toFixed(0)} ms`]));
  return `start-up: ${told(texts)}${timesLess(medians, targets.startUp)}`;
}

export function memoriesLine(all: readonly Memory[]): string {
  const texts = new Map(
    all.map(({ candidate, idle, underLoad, afterLoad, failed }) => [
      candidate,
      `${idle.toFixed(0)} MB, under load ${underLoad.toFixed(0)} MB, after it ${afterLoad.toFixed(0)} MB${failed > 0 ? ` (${failed} requests failed)` : ''}`,
    ]),
  );
  const after = new Map(all.map(({ candidate, afterLoad }) => [candidate, afterLoad]));
  return `memory: ${told(texts)}${timesLess(after, targets.memory)}`;
}
