import { isGoodAnswer, toldBy } from './good-answer';
import type { Load, LoadResult } from './load';
import { LoadConnection, requestBytes } from './load-connection';

// A process of its own, so that sending costs the measured service no time. It answers each load that it is told with its
// result.

const sorted = (values: readonly number[]): Float64Array => Float64Array.from(values).sort();
const at = (values: Float64Array, share: number): number =>
  values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

async function play({ url, headers, requests, connections, seconds }: Load): Promise<LoadResult> {
  const place = new URL(url);
  const spelt = requests.map((request) => ({ request, bytes: requestBytes(request, place.host, headers) }));
  const times: number[] = [];
  let failed = 0;
  let failure: string | undefined;
  let next = 0;
  const start = performance.now();
  const until = start + seconds * 1_000;

  function fail(told: string): void {
    failed += 1;
    failure ??= told;
  }

  async function connection(): Promise<void> {
    const client = new LoadConnection(place);
    while (performance.now() < until) {
      const { request, bytes } = spelt[next++ % spelt.length]!;
      const begun = performance.now();
      try {
        const { status, body } = await client.ask(bytes);
        const time = performance.now() - begun;
        if (isGoodAnswer(request.path, status, body)) times.push(time);
        else fail(toldBy(status, body()));
      } catch (error) {
        // A connection that broke; the next request opens another one.
        fail(String(error));
      }
    }
    client.close();
  }

  await Promise.all(Array.from({ length: connections }, connection));
  const elapsed = (performance.now() - start) / 1_000;
  const all = sorted(times);
  return {
    answers: times.length + failed,
    perSecond: times.length / elapsed,
    p50: at(all, 0.5),
    p99: at(all, 0.99),
    failed,
    ...(failure !== undefined && { failure }),
  };
}

process.on('message', (load: Load) => {
  play(load).then(
    (result) => process.send!(result),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
