import cluster from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { type Application, createApplication, isOneOfWorkers, token } from '../../core';
import { shipped } from '../../plugins/shipped';
import { orTakenBack } from '../clean-up';
import { failureReport } from '../failure-report';
import type { KeptModules } from '../kept-modules/keep-modules';
import type { Folders } from './application-folder';
import { collectWhenIdle } from './idle-memory';
import type { StartOptions } from './start';

/** A plugin may provide this, to have something printed once the application listens at that URL. */
const GREETING = token<(url: string) => string>('heddle.greeting');

const asked = ({ port, host }: StartOptions) => ({
  server: { ...(port !== undefined && { port }), ...(host !== undefined && { host }) },
});

const ignore = (): void => undefined;
const stopSignals = ['SIGTERM', 'SIGINT'] as const;

/**
 * Ends when the first signal to stop arrives; a second one ends the process at once. A worker is told by its primary, with
 * which it ends in any case: what a terminal or a service manager sends to both is no second signal.
 */
const signalled = (): Promise<void> =>
  new Promise((resolve) => {
    if (isOneOfWorkers()) {
      process.on('SIGINT', ignore);
      process.on('SIGTERM', resolve);
      return;
    }
    const stop = (): void => {
      for (const signal of stopSignals) process.off(signal, stop);
      resolve();
    };
    for (const signal of stopSignals) process.on(signal, stop);
  });

async function listening(app: Application): Promise<void> {
  const { log } = app.kernel.core;
  // Of several workers one speaks for all.
  const speaks = !isOneOfWorkers() || cluster.worker!.id === 1;
  if (speaks) for (const notice of app.notices) log.warn({}, notice);
  // What is open, as connections to a database, would keep the process.
  const { url } = await orTakenBack(() => app.listen(), app.close);
  const { services } = app.kernel;
  if (speaks && services.has(GREETING)) process.stdout.write(`${services.get(GREETING)(url)}\n`);
}

/** Milliseconds that belong to the first requests alone. */
const untilWarm = 50;

/** A service that can't be warmed is one all the same, and one that is told to stop does not wait for that. */
async function warm(app: Application, stopped: Promise<void>): Promise<void> {
  const isOver = stopped.then(() => true);
  if (await Promise.race([pause(untilWarm), isOver])) return;
  try {
    await Promise.race([app.warm(), isOver]);
  } catch (error) {
    app.kernel.core.log.warn({ err: error }, 'what first requests need could not be loaded ahead of them');
  }
}

/** A start that can't be made quicker is one all the same. */
async function keep(modules: KeptModules, { kernel }: Application): Promise<void> {
  try {
    await modules.keep();
  } catch (error) {
    kernel.core.log.warn({ err: error }, 'what was loaded could not be kept: the next start will take longer');
  }
}

/**
 * Has V8 compile a third of what it would compile together: that takes less long, and as long as it compiles, a new service
 * has less of the processor. Code that is kept is good for a V8 with the same options only: so not before it is.
 */
const compileLess = (): void => setFlagsFromString('--max-inlined-bytecode-size-cumulative=300');

/** Serves until told to stop; what is in flight then is finished first. */
export async function serve(
  options: StartOptions,
  folders: Folders,
  modules: KeptModules,
  compileQuickly: () => void,
): Promise<number> {
  const stopped = signalled();
  const app = await createApplication({ ...folders, shipped, overrides: asked(options) });
  // A start that is told to stop meanwhile is finished first, so that it leaves nothing half done.
  await listening(app);
  const kept = warm(app, stopped)
    .then(() => keep(modules, app))
    .then(compileLess)
    .then(compileQuickly);
  collectWhenIdle((err) =>
    app.kernel.core.log.warn({ err }, 'memory can not be given back while nobody asks anything'),
  );
  await stopped;
  await kept;
  app.kernel.core.log.info({}, 'stopping');
  try {
    await app.close();
    process.exit(0);
  } catch (error) {
    console.error(failureReport(error));
    process.exit(1);
  }
}
