import { cleanedUp, oneByOne } from '../../clean-up';
import type { Candidate } from '../candidates';
import { LoadConnection, requestBytes } from '../load-connection';
import { type BenchRequest, get } from '../requests';
import type { Running } from '../service';
import { change, counted, type GrowthScenario, growthScenarios, type Known } from './scenarios';

/** A service on a database of one size. */
export interface Sized {
  readonly size: number;
  readonly service: Running;
  readonly known: Known;
}

export interface Timing {
  readonly candidate: Candidate['name'];
  readonly scenario: string;
  readonly size: number;
  readonly round: number;
  /** Milliseconds of each request, or start. */
  readonly times: readonly number[];
}

const warmUp = 20;
const counts = 5;

interface Asking {
  ask(request: BenchRequest): Promise<{ time: number; text: string }>;
  close(): Promise<void>;
}

function askingOf({ service }: Sized): Asking {
  const url = new URL(service.url);
  const connection = new LoadConnection(url);
  const headers = service.headers('token');
  return {
    async ask(request) {
      const bytes = requestBytes({ ...request, path: encodeURI(request.path) }, url.host, headers);
      const begun = performance.now();
      const answer = await connection.ask(bytes);
      const text = answer.body().toString();
      const time = performance.now() - begun;
      if (answer.status >= 400) throw new Error(`${request.method} ${request.path} answered ${answer.status}: ${text}`);
      return { time, text };
    },
    close: async () => connection.close(),
  };
}

/** The requests of a scenario, from the middle of the list on where they go on from there. */
async function requestsOf(
  { requests, deep }: GrowthScenario,
  { known, size }: Sized,
  { ask }: Asking,
): Promise<readonly BenchRequest[]> {
  if (deep === undefined) return requests(known);
  const half = `fields=id&pagination[pageSize]=${Math.floor(size / 2)}&pagination[cursor]=`;
  const { text } = await ask(get(`/api/articles?${deep}&${half}`));
  const [, cursor] = /"nextCursor":"([\w-]+)"/.exec(text) ?? [];
  if (cursor === undefined) throw new Error(`${deep} has no cursor in the middle`);
  return requests(known).map(({ path }) => get(`${path}&pagination[cursor]=${cursor}`));
}

/** Sends a scenario's requests to all sizes in turn, so that they meet the same machine. */
async function measureOne(
  scenario: GrowthScenario,
  all: readonly (Sized & Asking)[],
  count: number,
): Promise<Map<number, number[]>> {
  const times = new Map<number, number[]>(all.map(({ size }) => [size, []]));
  const requests = new Map<number, readonly BenchRequest[]>();
  for (const each of all) requests.set(each.size, await requestsOf(scenario, each, each));
  for (let at = 0; at < warmUp + count; at += 1)
    for (const { size, ask } of all) {
      const own = requests.get(size)!;
      const { time } = await ask(own[at % own.length]!);
      if (at >= warmUp) times.get(size)!.push(time);
    }
  return times;
}

/** A list whose total was counted before another article was written. */
async function measureCounts(all: readonly (Sized & Asking)[]): Promise<Map<number, number[]>> {
  const times = new Map<number, number[]>(all.map(({ size }) => [size, []]));
  for (let at = 0; at < counts; at += 1)
    for (const { size, known, ask } of all) {
      await ask(change(known.ids[at]!, {}));
      times.get(size)!.push((await ask(counted)).time);
    }
  return times;
}

export const firstCount = 'page 1, counted anew';

/** One round of a candidate over all sizes. */
export async function measureGrowth(
  candidate: Candidate,
  sized: readonly Sized[],
  requests: number,
  round: number,
): Promise<Timing[]> {
  const all = sized.map((each) => ({ ...each, ...askingOf(each) }));
  const found: Timing[] = [];
  const keep = (scenario: string, timesBySize: ReadonlyMap<number, number[]>): void => {
    for (const [size, times] of timesBySize) found.push({ candidate: candidate.name, scenario, size, round, times });
  };
  const measure = async (): Promise<Timing[]> => {
    for (const scenario of growthScenarios)
      if (candidate.name === 'heddle' || !scenario.beyond)
        keep(scenario.name, await measureOne(scenario, all, requests));
    keep(firstCount, await measureCounts(all));
    return found;
  };
  return cleanedUp(measure, () => oneByOne(all, ({ close }) => close()));
}
