import { GCProfiler } from 'node:v8';
import { client, makePlace, openApp } from '../store/database-app.fixture';

// DATABASE_CLIENT=postgres or mysql runs this on a server at 127.0.0.1.

const rows = 25;
const width = 6_000;
const reads = 400;

const text = client === 'sqlite' ? `printf('%0${width}d',n)` : `repeat('a',${width})`;
const sql = `with recursive n(n) as (select 1 union all select n+1 from n where n<${rows}) select ${text} from n`;

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

test('rows that were answered are garbage at once', async () => {
  const place = await makePlace({});
  const app = await openApp(place);
  try {
    const read = () => app.database.rows({ sql }, []);
    expect(await read()).toHaveLength(rows);
    const profiler = new GCProfiler();
    profiler.start();
    for (let count = 0; count < reads; count += 1) {
      await read();
      await new Promise(setImmediate);
    }
    expect(grownOld(profiler.stop())).toBeLessThan((reads * rows * width) / 5);
  } finally {
    await app.close();
    await place.remove();
  }
});
