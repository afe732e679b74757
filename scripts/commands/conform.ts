import { conform as play } from '../../conformance/command/conform';
import type { ConformOptions } from '../../conformance/command/settings';

/** Plays the rows against a deployment: 0 pass, 1 a MUST failed, 2 could not run. */
export const conform = (options: ConformOptions): Promise<number> => play(options);
