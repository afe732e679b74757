import { conform as play } from '../../conformance/runner/conform';

/** Plays the rows against a deployment: 0 pass, 1 a MUST failed, 2 could not run. */
export const conform = (options: Parameters<typeof play>[0]): Promise<number> => play(options);
