import { AsyncLocalStorage } from 'node:async_hooks';

/** What the time of one request goes into, part by part. */
export interface Timing {
  /** Says what the time since the last mark went into. A part may be marked more than once: its times are added up. */
  mark(part: string): void;
}

/** A timing as it is told at the end; what was not marked comes before the answer is sent: it is rendering. */
export interface RequestTiming extends Timing {
  /** The value of the header `Server-Timing`. */
  told(): string;
}

const timings = new AsyncLocalStorage<Timing>();

/** The timing of the request that is being answered; none where nobody asked for one. */
export const currentTiming = (): Timing | undefined => timings.getStore();

/** Runs work whose parts mark their times. */
export const runTimed = <T>(timing: Timing, work: () => T): T => timings.run(timing, work);

const entry = (part: string, milliseconds: number): string => `${part};dur=${milliseconds.toFixed(3)}`;

export function createTiming(now: () => number = () => performance.now()): RequestTiming {
  const parts = new Map<string, number>();
  const start = now();
  let last = start;
  const mark = (part: string): void => {
    const time = now();
    parts.set(part, (parts.get(part) ?? 0) + time - last);
    last = time;
  };
  return {
    mark,
    told() {
      if (parts.size > 0) mark('render');
      else last = now();
      return [...parts, ['total', last - start] as const].map(([part, time]) => entry(part, time)).join(', ');
    },
  };
}
