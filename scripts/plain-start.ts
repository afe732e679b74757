import { parseArgs } from 'node:util';
import type { StartOptions } from './commands/start';

/** A port as somebody wrote it; undefined if it is none. */
export const portOf = (text: string): number | undefined =>
  /^\d+$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined;

const each = { type: 'string', multiple: true } as const;

function readOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: { app: each, data: each, port: each, host: each } }).values;
  } catch {
    // What is wrong, or means more than this, the whole command line tells.
    return undefined;
  }
}

/** What `heddle start` is given where that is nothing but where things lie and where to listen; else undefined. */
export function plainStart([command, ...args]: readonly string[]): StartOptions | undefined {
  const options = command === 'start' ? readOptions(args) : undefined;
  if (!options) return undefined;
  // Of what is said twice each must be right, and the last one counts.
  if (Object.values(options).some((said) => said.length > 1)) return undefined;
  const [text] = options.port ?? [];
  const port = text === undefined ? undefined : portOf(text);
  if (text !== undefined && port === undefined) return undefined;
  return { app: options.app?.[0], data: options.data?.[0], host: options.host?.[0], port };
}
