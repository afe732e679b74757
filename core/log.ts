import cluster from 'node:cluster';
import type { Logger } from './kernel/logger';
import { silentLogger } from './kernel/logger';
import { isOneOfWorkers } from './one-of-workers';
import { pretty } from './pretty-log';

/** Names of levels that existing projects use, beside pino's own. */
const otherNames: Readonly<Record<string, string>> = {
  http: 'debug',
  verbose: 'debug',
  silly: 'trace',
  warning: 'warn',
  crit: 'fatal',
  notice: 'info',
};
const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

export const isLogLevel = (name: string): boolean => levels.includes(otherNames[name] ?? name);

const redact = { paths: ['*.password', '*.authorization', '*.token', '*.secret'], censor: '[secret]' };

/** Drivers hang statements and what they were to write on their errors; of those, only what names the mistake is told. */
const shownError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const { code } = error as NodeJS.ErrnoException;
  return {
    type: name,
    message,
    stack,
    ...(code !== undefined && { code }),
    ...(cause !== undefined && { cause: shownError(cause) }),
  };
};

export interface LogOptions {
  readonly level: string;
  /** Lines for people instead of JSON; the terminal decides unless given. */
  readonly pretty?: boolean;
}

/** A logger of JSON lines, or of readable ones on a terminal. pino is loaded only when something can be written. */
export function createLogger({ level, pretty: wanted = process.stdout.isTTY === true }: LogOptions): Logger {
  const lowest = otherNames[level] ?? level;
  if (lowest === 'silent') return silentLogger;
  const { pino } = require('pino') as typeof import('pino');
  const options = {
    level: lowest,
    // Of several processes that write to one stream, which one.
    base: isOneOfWorkers() ? { worker: cluster.worker!.id } : null,
    redact,
    serializers: { err: shownError },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pino(options, wanted ? { write: (line: string) => void process.stdout.write(pretty(line)) } : process.stdout);
}
