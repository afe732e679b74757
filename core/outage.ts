import type { Logger } from './kernel/logger';

/** Something that is done without for as long as it fails. */
export interface Outage {
  failed(error: unknown): void;
  worked(): void;
}

/** Tells the log once when something begins to fail, and once when it works again. */
export function createOutage(log: Pick<Logger, 'info' | 'warn'>, begun: string, over: string): Outage {
  let isOn = false;
  return {
    failed(error) {
      if (isOn) return;
      isOn = true;
      const { code, message } = error as NodeJS.ErrnoException;
      log.warn({ reason: code ?? message }, begun);
    },
    worked() {
      if (isOn) log.info({}, over);
      isOn = false;
    },
  };
}
