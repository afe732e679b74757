import { constants } from 'node:os';

const controller = new AbortController();
const signals = ['SIGINT', 'SIGTERM'] as const;

/** Aborted when this process is told to end: what is under way fails then, and takes away what it has made. */
export const interrupted: AbortSignal = controller.signal;

/** The first signal has all cleaned up; a second one ends the process at once. */
function interrupt(signal: (typeof signals)[number]): void {
  for (const each of signals) process.off(each, interrupt);
  process.exitCode = 128 + constants.signals[signal];
  console.error(`${signal}: stops what runs, and removes what was made`);
  controller.abort(new Error(`ended by ${signal}`));
}

/** Runs a program that has to clean up whatever ends it. */
export function runCleanly(main: () => Promise<void>): void {
  for (const signal of signals) process.on(signal, interrupt);
  main().catch((error: unknown) => {
    console.error(interrupted.aborted ? String(error) : error);
    process.exitCode ??= 1;
  });
}
