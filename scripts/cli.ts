import { plainStart } from './plain-start';

/** A reader that has seen enough, as in `heddle routes | head`, ends the command without a fault. */
function endWithItsReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
}

/** A service that is started plainly need not wait for all that other commands would be read with. */
function command(args: readonly string[]): Promise<number> {
  const plain = plainStart(args);
  if (plain) return (require('./commands/start') as typeof import('./commands/start')).start(plain);
  return (require('./command-line') as typeof import('./command-line')).runCommand(args);
}

/** Runs a command line; answers the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  endWithItsReader();
  try {
    return await command(args);
  } catch (error) {
    const { failureReport } = require('./failure-report') as typeof import('./failure-report');
    console.error(failureReport(error));
    return 1;
  }
}
