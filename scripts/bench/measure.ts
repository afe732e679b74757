import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Candidate, withService } from './candidates';
import type { Filled } from './content';
import type { Place } from './databases';
import { isGoodAnswer, toldBy } from './good-answer';
import { interrupted } from './interruption';
import { type Loader, type LoadResult, load } from './load';
import type { BenchRequest } from './requests';
import type { Scenario } from './scenarios';
import type { Caller, Running } from './service';

export interface Measurement extends LoadResult {
  readonly candidate: Candidate['name'];
  readonly scenario: string;
  readonly caller: Caller;
  readonly connections: number;
  readonly round: number;
  /**
   * Milliseconds of a processor for each answer, in the process that answers, without those of a database server: what a
   * busy machine changes less than the time an answer takes.
   */
  readonly processor: number;
}

export interface Effort {
  readonly seconds: number;
  /**
   * Seconds of the same load, over the first number of connections, that come before and do not count: what is new to a service is
   * compiled meanwhile.
   */
  readonly warmUp: number;
  readonly connections: readonly number[];
  readonly callers: readonly Caller[];
  readonly loader: Loader;
  /** Tells what is left out, and why. */
  readonly say: (text: string) => void;
}

/** What Linux counts processor time in, on every machine that Node runs on. */
const ticksPerSecond = 100;

/** Why a candidate can't be measured: what it answers in the place of what is asked for. */
async function refusalOf(
  service: Running,
  { method, path, body, headers }: BenchRequest,
  caller: Caller,
): Promise<string | undefined> {
  const answer = await fetch(service.url + path, {
    method,
    headers: { ...service.headers(caller), ...headers },
    body: body ?? null,
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (isGoodAnswer(path, answer.status, () => bytes)) return undefined;
  return toldBy(answer.status, bytes);
}

/** One candidate's share of a round: every scenario, for every caller, over every number of connections. */
export async function measureAll(
  candidate: Candidate,
  service: Running,
  scenarios: readonly Scenario[],
  filled: Filled,
  { seconds, warmUp, connections, callers, loader, say }: Effort,
  round: number,
): Promise<Measurement[]> {
  const found: Measurement[] = [];
  for (const scenario of scenarios) {
    if (candidate.name === 'floor' && !scenario.onFloor) continue;
    const requests = await scenario.requests(filled);
    for (const caller of callers) {
      const refusal = await refusalOf(service, requests[0]!, caller);
      if (refusal !== undefined) {
        say(`${candidate.name} is not measured with "${scenario.name}" as ${caller}: it answers ${refusal}`);
        continue;
      }
      const what = { url: service.url, headers: service.headers(caller), requests };
      await loader.load({ ...what, connections: connections[0]!, seconds: warmUp });
      for (const count of connections) {
        const before = processorOf(service.pid);
        const result = await loader.load({ ...what, connections: count, seconds });
        const processor = (processorOf(service.pid) - before) / result.answers;
        found.push({
          candidate: candidate.name,
          scenario: scenario.name,
          caller,
          connections: count,
          round,
          processor,
          ...result,
        });
      }
    }
  }
  return found;
}

/** Milliseconds that all threads of a process have worked. */
function processorOf(pid: number): number {
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // Behind the name of the program, which may hold anything.
  const [user, system] = line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * (1_000 / ticksPerSecond);
}

export const megabytesOf = (pid: number): number => {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
};

export interface Memory {
  readonly candidate: Candidate['name'];
  /** Megabytes before the first request, at the end of a load, and some time after it. */
  readonly idle: number;
  readonly underLoad: number;
  readonly afterLoad: number;
  /** Requests that were answered with anything else than what was asked for. */
  readonly failed: number;
}

/** Seconds that eight clients ask, and that nobody asks afterwards. */
export interface LoadAndRest {
  readonly seconds: number;
  readonly rest: number;
}

/** What a process keeps once a load is over. */
export const measureMemory = (
  candidate: Candidate,
  place: Place,
  scenario: Scenario,
  filled: Filled,
  { seconds, rest }: LoadAndRest,
): Promise<Memory> =>
  withService(candidate, place, async (service) => {
    const idle = megabytesOf(service.pid);
    const requests = await scenario.requests(filled);
    const what = { url: service.url, headers: service.headers('token'), requests, connections: 8, seconds };
    const { failed } = await load(what);
    const underLoad = megabytesOf(service.pid);
    await sleep(rest * 1_000, undefined, { signal: interrupted });
    return { candidate: candidate.name, idle, underLoad, afterLoad: megabytesOf(service.pid), failed };
  });
