import type { RequestListener } from 'node:http';
import { resolve } from 'node:path';
import { createContent } from '../content/content';
import { contentHooks, documentHooks } from '../content/hooks';
import { assembleHttp } from '../http/assemble';
import { httpHooks } from '../http/hooks';
import { type Address, listen, type RunningServer } from '../http/server';
import { declareMiddlewares } from '../http/settings/middleware-list';
import { declareServer } from '../http/settings/server-config';
import type { Phase } from '../http/shell';
import { createUpgrade } from '../http/upgrade';
import type { RawConfig } from '../kernel/config';
import { createKernel, type Kernel } from '../kernel/kernel';
import { type Logger, silentLogger } from '../kernel/logger';
import { problem, refuseIfAny } from '../kernel/problems';
import { createLogger, isLogLevel } from '../log';
import { version } from '../version';
import type { PluginCatalogue } from './catalogue';
import { customCode } from './custom-code';
import { type Description, describe, type ListedRoute, listRoutes } from './describe';
import type { Variables } from './env';
import { readProject } from './project';
import { createReport } from './report';
import { declareUnreadFiles } from './unread-files';

export interface ApplicationOptions {
  /** Folder with `config/` and `src/`. */
  appDir: string;
  /** Folder for everything the application writes. */
  dataDir: string;
  shipped: PluginCatalogue;
  /** The variables of the process. */
  env?: Variables;
  /** Configuration over that of the files. */
  overrides?: RawConfig;
  log?: Logger;
  /** Measure the time per plugin and hook. */
  measure?: boolean;
}

export interface Application {
  readonly kernel: Kernel;
  /** What of the project is accepted and without effect. */
  readonly notices: readonly string[];
  /** Answers requests; 503 until `start` is done. */
  readonly handler: RequestListener;
  /** Boots without listening. */
  start(): Promise<void>;
  /** Starts, unless done, and listens where the configuration or the arguments say. */
  listen(port?: number, host?: string): Promise<Address>;
  /** Loads what first requests need and starts do not; without it, whoever needs it first waits for it. */
  warm(): Promise<void>;
  /** Lets requests in flight finish, then closes everything, last opened first. */
  close(): Promise<void>;
  routes(): ListedRoute[];
  describe(): Description;
}

function chooseLogger(config: RawConfig, env: Variables): Logger {
  const { level, config: inner } =
    (config['server'] as { logger?: { level?: string; config?: { level?: string } } } | undefined)?.logger ?? {};
  const wanted = env['LOG_LEVEL'] ?? level ?? inner?.level ?? (env['NODE_ENV'] === 'test' ? 'silent' : 'info');
  if (!isLogLevel(wanted))
    refuseIfAny([
      problem(
        'config/server',
        `"${wanted}" is no level of logging.`,
        'Use trace, debug, info, warn, error or silent.',
        'logger.level',
      ),
    ]);
  return createLogger({ level: wanted });
}

/** Puts an application together out of a folder: everything but connecting to anything. */
export async function createApplication(options: ApplicationOptions): Promise<Application> {
  const appDir = resolve(options.appDir);
  const dataDir = resolve(options.dataDir);
  const report = createReport();
  const project = await readProject({ ...options, appDir, dataDir, env: options.env ?? process.env }, report);
  const { variables, config: raw, environment } = project;
  const log = options.log ?? (await report.attempt(() => chooseLogger(raw, variables))) ?? silentLogger;
  report.refuseIfAny();

  const bags = { http: httpHooks(), content: contentHooks(), document: documentHooks() };
  const kernel = createKernel({
    version,
    app: { dir: appDir, dataDir, environment, env: variables },
    log,
    bags,
    measure: options.measure,
  });
  const phase: Phase = { current: 'starting' };
  declareServer(kernel.core.declare);
  declareMiddlewares(kernel.core.declare);
  declareUnreadFiles(kernel.core.declare);
  const config = await report.attempt(() => kernel.configure(project.plugins, raw));
  // Without the plugins nothing else can be looked at; with a wrong key in a file, all the rest can.
  if (kernel.order.length < project.plugins.length) report.refuseIfAny();

  const content = createContent(kernel, kernel.core.notice);
  await report.attempt(() => {
    content.provide();
    kernel.provide();
  });
  await report.attempt(() => content.load(appDir));
  const http = await report.attempt(() => assembleHttp(kernel, config ?? kernel.core.config(), phase));
  report.refuseIfAny();
  const { handler, routes, middlewares } = http!;
  for (const notice of [...project.notices, ...customCode(appDir)]) kernel.core.notice(notice);

  let up: Promise<void> | undefined;
  let starting: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  let server: RunningServer | undefined;

  function refuseClosed(): void {
    if (closing) throw new Error('the application was closed');
  }

  async function comeUp(): Promise<void> {
    await kernel.boot();
    refuseClosed();
    phase.current = 'serving';
    await kernel.ready();
  }

  async function boot(): Promise<void> {
    try {
      up = comeUp();
      await up;
    } catch (error) {
      await close().catch((other) => log.error({ err: other }, 'closing after a failed start failed, too'));
      throw error;
    }
  }

  async function shutDown(): Promise<void> {
    phase.current = 'closing';
    kernel.hooks.http.draining.call();
    // Whoever starts it hears why it did not come up.
    await up?.catch(() => undefined);
    await server?.close();
    await kernel.close();
  }

  function close(): Promise<void> {
    closing ??= shutDown();
    return closing;
  }

  function start(): Promise<void> {
    refuseClosed();
    starting ??= boot();
    return starting;
  }

  return {
    kernel,
    notices: kernel.notices,
    handler,
    start,
    async listen(port, host) {
      await start();
      refuseClosed();
      const { server: settings } = kernel.core.config();
      const upgrade = createUpgrade(kernel.hooks.http, phase);
      const tell = (err: Error): void => log.error({ err }, 'connections can not be taken in');
      server = await listen(handler, port ?? settings.port, host ?? settings.host, settings.http, tell, upgrade);
      if (closing) await server.close();
      refuseClosed();
      log.info({ url: server.address.url }, 'listening');
      return server.address;
    },
    warm: () => kernel.warm(),
    close,
    routes: () => listRoutes(routes),
    describe: () => describe(kernel, routes, middlewares),
  };
}
