import type { StartOptions } from './start';

/** The command line that runs an application once more, in a process of its own. */
export const serveArguments = ({ port, host }: StartOptions, appDir: string, dataDir: string): string[] => [
  ...['start', '--app', appDir, '--data', dataDir],
  ...(port === undefined ? [] : ['--port', String(port)]),
  ...(host === undefined ? [] : ['--host', host]),
];
