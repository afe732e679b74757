import { createTiming, runTimed } from '../timing';
import type { Step } from './compose';

/** Tells in every answer what its time went into. Without it, a request marks nothing and keeps nothing. */
export const withServerTiming =
  (run: Step): Step =>
  (context) => {
    const timing = createTiming();
    return runTimed(timing, async () => {
      try {
        await run(context);
      } finally {
        if (!context.headerSent) context.res.setHeader('Server-Timing', timing.told());
      }
    });
  };
