import { type Application, createApplication, token } from '../../core';
import { shipped } from '../../plugins/shipped';
import { failureReport } from '../failure-report';
import { type FolderOptions, foldersOf } from './application-folder';

export interface StartOptions extends FolderOptions {
  readonly port?: number;
  readonly host?: string;
}

/** A plugin may provide this, to have something printed once the application listens at that URL. */
const GREETING = token<(url: string) => string>('heddle.greeting');

const asked = ({ port, host }: StartOptions) => ({
  server: { ...(port !== undefined && { port }), ...(host !== undefined && { host }) },
});

const stopSignals = ['SIGTERM', 'SIGINT'] as const;

/** Ends when the first signal to stop arrives; a second one ends the process at once. */
const signalled = (): Promise<void> =>
  new Promise((resolve) => {
    const stop = (): void => {
      for (const signal of stopSignals) process.off(signal, stop);
      resolve();
    };
    for (const signal of stopSignals) process.on(signal, stop);
  });

async function listening(app: Application): Promise<void> {
  const { log } = app.kernel.core;
  for (const notice of app.notices) log.warn({}, notice);
  const { url } = await app.listen();
  const { services } = app.kernel;
  if (services.has(GREETING)) process.stdout.write(`${services.get(GREETING)(url)}\n`);
}

/** Serves until told to stop; what is in flight then is finished first. */
export async function start(options: StartOptions): Promise<number> {
  const stopped = signalled();
  const app = await createApplication({ ...foldersOf(options), shipped, overrides: asked(options) });
  // A start that is told to stop meanwhile is finished first, so that it leaves nothing half done.
  await listening(app);
  await stopped;
  app.kernel.core.log.info({}, 'stopping');
  try {
    await app.close();
    process.exit(0);
  } catch (error) {
    console.error(failureReport(error));
    process.exit(1);
  }
}
