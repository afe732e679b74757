import { GCProfiler } from 'node:v8';
import { client, makePlace, type Opened, openApp, type Place } from './database-app.fixture';

// What PostgreSQL's driver makes of answers; DATABASE_CLIENT=postgres runs this on a server at 127.0.0.1.

const onPostgres = client === 'postgres' ? test : test.skip;

const rows = 25;
const width = 6_000;
const reads = 400;
/** After as many, V8 has seen what lives as long as the application. */
const readsBefore = 50;

const sql = `select repeat('a',${width}) from generate_series(1,${rows})`;

/** How much V8 has come to take for old when it looked for garbage among what was new. */
function grownOld({ statistics }: ReturnType<GCProfiler['stop']>): number {
  const oldIn = (heap: (typeof statistics)[number]['beforeGC']): number =>
    heap.heapSpaceStatistics
      .filter(({ spaceName }) => /^(?:large_object|old)_space$/.test(spaceName))
      .reduce((sum, { spaceUsedSize }) => sum + spaceUsedSize, 0);
  return statistics
    .filter(({ gcType }) => gcType.startsWith('Scavenge'))
    .reduce((sum, { beforeGC, afterGC }) => sum + oldIn(afterGC) - oldIn(beforeGC), 0);
}

let place: Place;
let app: Opened;

beforeAll(async () => {
  place = await makePlace({});
  app = await openApp(place);
});
afterAll(async () => {
  await app.close();
  await place.remove();
});

async function read(times: number): Promise<void> {
  let found = 0;
  for (let count = 0; count < times; count += 1) {
    found += (await app.database.rows({ sql }, [])).length;
    await new Promise(setImmediate);
  }
  expect(found).toBe(times * rows);
}

onPostgres('rows that were answered are garbage at once', async () => {
  await read(readsBefore);
  const profiler = new GCProfiler();
  profiler.start();
  await read(reads);
  expect(grownOld(profiler.stop())).toBeLessThan((reads * rows * width) / 2);
});

onPostgres('what a statement fails with tells who asked, not who answered', async () => {
  const asked = async () => app.database.rows({ sql: 'select nothing' }, []);
  const error = await asked().catch((failure: Error) => failure);
  expect(error).toMatchObject({ message: expect.stringContaining('nothing'), code: '42703' });
  expect((error as Error).stack).toContain('answered-rows.test');
});
