import { Client } from 'undici';
import { isGoodAnswer, toldBy } from './good-answer';
import type { Load, LoadResult } from './load';
import type { BenchRequest } from './requests';

// A process of its own, so that sending costs the measured service no time. It is told one load and answers its result.

const sorted = (values: readonly number[]): Float64Array => Float64Array.from(values).sort();
const at = (values: Float64Array, share: number): number =>
  values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

interface Answer {
  readonly status: number;
  readonly body: () => Buffer;
}

/** Without streams and copies: the less is spent on reading answers, the more of the machine is left to what is measured. */
function answerTo(client: Client, { method, path, body, headers: own }: BenchRequest, headers: Load['headers']) {
  return new Promise<Answer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let status = 0;
    client.dispatch(
      { method, path, body: body ?? null, headers: { ...headers, ...own } },
      {
        onRequestStart() {},
        onResponseStart(_, statusCode) {
          status = statusCode;
        },
        onResponseData(_, chunk) {
          chunks.push(chunk);
        },
        onResponseEnd: () => resolve({ status, body: () => Buffer.concat(chunks) }),
        onResponseError: (_, error) => reject(error),
      },
    );
  });
}

async function play({ url, headers, requests, connections, seconds }: Load): Promise<LoadResult> {
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
    const client = new Client(url, { pipelining: 1 });
    while (performance.now() < until) {
      const request = requests[next++ % requests.length]!;
      const begun = performance.now();
      try {
        const { status, body } = await answerTo(client, request, headers);
        const time = performance.now() - begun;
        if (isGoodAnswer(request.path, status, body)) times.push(time);
        else fail(toldBy(status, body()));
      } catch (error) {
        // A connection that broke; the next request opens another one.
        fail(String(error));
      }
    }
    await client.close();
  }

  await Promise.all(Array.from({ length: connections }, connection));
  const all = sorted(times);
  const elapsed = (performance.now() - start) / 1_000;
  return {
    answers: times.length + failed,
    perSecond: times.length / elapsed,
    p50: at(all, 0.5),
    p99: at(all, 0.99),
    failed,
    ...(failure !== undefined && { failure }),
  };
}

process.once('message', (load: Load) => {
  play(load).then(
    (result) => process.send!(result, () => process.exit(0)),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
