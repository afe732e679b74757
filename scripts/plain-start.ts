import { parseArgs } from 'node:util';
import type { StartOptions } from './commands/start';

/** A port as somebody wrote it; undefined if it is none. */
export const portOf = (text: string): number | undefined =>
  /^\d+$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined;

const text = { type: 'string' } as const;

function readOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: { app: text, data: text, port: text, host: text } }).values;
  } catch {
    // What is wrong, or means more than this, the whole command line tells.
    return undefined;
  }
}

/** What `heddle start` is given where that is nothing but where things lie and where to listen; else undefined. */
export function plainStart([command, ...args]: readonly string[]): StartOptions | undefined {
  const options = command === 'start' ? readOptions(args) : undefined;
  if (!options) return undefined;
  const { port, ...others } = options;
  if (port === undefined) return { ...others };
  const number = portOf(port);
  return number === undefined ? undefined : { ...others, port: number };
}
