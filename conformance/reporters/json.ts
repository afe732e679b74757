import type { Reporter } from './reporter';

/** The whole run, for programs. */
export const jsonReport: Reporter = (result) => `${JSON.stringify(result, null, 2)}\n`;
