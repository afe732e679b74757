import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** What is played, by the name of the file that it is kept in. */
export const reportFiles = ['heddle-sqlite', 'heddle-mysql', 'heddle-postgres', 'peer'] as const;
export type ReportFile = (typeof reportFiles)[number];

export interface Settings {
  /** The folder of a Strapi project. */
  readonly peer?: string;
  readonly only?: ReportFile;
}

/** Reads the command line. */
export function settingsFrom(args: readonly string[]): Settings {
  const options = { peer: { type: 'string' }, only: { type: 'string' } } as const;
  const { peer, only: name } = parseArgs({ args: [...args], options }).values;
  const only = reportFiles.find((file) => file === name);
  if (only !== name) throw new Error(`--only ${name}: known are ${reportFiles.join(', ')}.`);
  if (only === 'peer' && peer === undefined) throw new Error('--only peer needs --peer with the folder of a project.');
  return { ...(peer !== undefined && { peer: resolve(peer) }), ...(only !== undefined && { only }) };
}
