import { z } from 'zod';
import type { ConfigDeclarations } from '../../kernel/config';

/** Limits on connections, in milliseconds and bytes. */
export interface ConnectionLimits {
  /** All headers of a request together; above, 431. */
  readonly maxHeaderSize: number;
  /** A client that takes longer to send its headers gets 408. */
  readonly headersTimeout: number;
  /** The same for the whole request. */
  readonly requestTimeout: number;
  /** A client that takes nothing of its answer for so long is cut off. */
  readonly answerTimeout: number;
  /** How long an idle connection is kept. */
  readonly keepAliveTimeout: number;
  /** How long a shutdown waits for requests in flight. */
  readonly drainTimeout: number;
  /** How long the service is on the lookout for the next request of who asks again at once; eight times as long for an answer. */
  readonly lookout: number;
}

/** Whose `X-Forwarded-…` headers are believed: nobody's, everybody's, or those of the listed addresses and networks. */
export type TrustedProxies = boolean | readonly string[];

export interface ServerConfig {
  readonly host: string;
  readonly port: number;
  /** The address under which the world reaches the service. */
  readonly url: string;
  readonly proxy: TrustedProxies;
  readonly http: ConnectionLimits;
  readonly logger: { readonly level?: string };
  /** Whether answers tell what their time went into; where NODE_ENV says development, unless given. */
  readonly serverTiming?: boolean;
}

declare module '../../types' {
  interface ConfigSections {
    server: ServerConfig;
  }
}

const milliseconds = (preset: number) => z.int().min(0).default(preset);

const http = z
  .strictObject({
    maxHeaderSize: z.int().min(1024).default(16_384),
    headersTimeout: milliseconds(20_000),
    requestTimeout: milliseconds(120_000),
    answerTimeout: milliseconds(60_000),
    keepAliveTimeout: milliseconds(5_000),
    drainTimeout: milliseconds(10_000),
    lookout: z.number().min(0).max(10).default(0.25),
  })
  .prefault({});

/** `{ koa: true }` is how existing projects say that they stand behind a proxy. */
const proxy = z
  .union([
    z.boolean(),
    z.array(z.string()),
    z.object({ koa: z.union([z.boolean(), z.array(z.string())]).default(false) }),
  ])
  .default(false)
  .transform((given): TrustedProxies => (typeof given === 'object' && 'koa' in given ? given.koa : given));

const logger = z
  .object({ level: z.string().optional(), config: z.object({ level: z.string().optional() }).optional() })
  .default({})
  .transform(({ level, config }) => ({ level: level ?? config?.level }));

const serverTiming = z.boolean().optional();

const port = z
  .union([z.int(), z.string().regex(/^\d+$/).transform(Number)])
  .pipe(z.int().min(0).max(65_535))
  .default(1337);

const inert: Readonly<Record<string, string>> = {
  app: 'there are no session cookies to sign.',
  cron: 'tasks are not run.',
  webhooks: 'webhooks are not sent.',
  transfer: 'there is no transfer of data between instances.',
  dirs: 'the folders are those of the command line.',
  emitErrors: 'errors are logged.',
  socket: 'the service listens on a host and a port.',
  globalProxy: 'no requests are made through a proxy.',
  absoluteUrl: 'it follows from url.',
  admin: 'there is no admin panel.',
  openAdmin: 'there is no admin panel.',
  autoOpen: 'there is no admin panel.',
  periodic: 'tasks are not run.',
};

export function declareServer(declare: ConfigDeclarations): void {
  const host = z.string().min(1).default('127.0.0.1');
  declare.declare('server', { host, port, url: z.string().default(''), proxy, http, logger, serverTiming } as never);
  declare.inert('server', inert);
}
