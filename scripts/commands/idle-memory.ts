import { getHeapStatistics } from 'node:v8';

const megabyte = 2 ** 20;

/** Milliseconds in which next to nothing may have been done. */
const quiet = 10_000;
/**
 * The part of them in which something was done all the same. The timers of a service that nobody asks took a three-hundredth where
 * a system takes away what memory a process does not use; left alone with its memory, they take far less.
 */
const hardly = 0.005;
/** What V8 must have taken since the last time. */
const worthwhile = 8 * megabyte;
/** Collecting in a larger heap would make a request wait that comes just then. */
const largest = 256 * megabyte;

/** Has V8 collect all garbage and give back the room: left alone, it does neither as long as nobody asks anything. */
async function collectGarbage(): Promise<void> {
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
}

/** What is known of V8's heap when it is looked at; sizes in bytes, used or not. */
interface Seen {
  /** The part of the time since the last look in which something was done. */
  readonly utilization: number;
  readonly size: number;
  /** After garbage was collected here the last time; 0 if it was not. */
  readonly kept: number;
}

export const isWorthCollecting = ({ utilization, size, kept }: Seen, most = largest, busy = hardly): boolean =>
  utilization <= busy && size >= kept + worthwhile && size <= most;

/**
 * Gives memory back whenever nobody has asked anything for a while; returns what ends that. Node can be built without what
 * collects, and told to refuse it: that is told once.
 */
export function collectWhenIdle(
  failed: (error: unknown) => void,
  { every = quiet, most = largest, busy = hardly, collect = collectGarbage } = {},
): () => void {
  let before = performance.eventLoopUtilization();
  let kept = 0;

  async function look(): Promise<void> {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (!isWorthCollecting({ utilization, size: getHeapStatistics().total_heap_size, kept }, most, busy)) return;
    try {
      await collect();
      kept = getHeapStatistics().total_heap_size;
    } catch (error) {
      clearInterval(timer);
      failed(error);
    }
  }

  const timer = setInterval(() => void look(), every).unref();
  return () => clearInterval(timer);
}
