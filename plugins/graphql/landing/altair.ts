import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Context } from 'koa';
import { notFound } from '../../../core';
import type { NeededSources } from './content-policy';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

/** Nothing from elsewhere; `'unsafe-inline'` for styles stands in the usual policy already. */
export const altairSources: NeededSources = {
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'font-src': ["'self'", 'data:'],
  'connect-src': ["'self'", 'ws:', 'wss:'],
  'frame-src': ["'self'"],
  'manifest-src': ["'self'"],
  'worker-src': ["'self'", 'blob:'],
};

const setup = 'setup.js';

export interface AltairOptions {
  readonly endpoint: string;
  /** Where its files are served. */
  readonly files: string;
  readonly subscriptions: boolean;
}

type Altair = typeof import('altair-static');

function filesIn(dir: string, under = ''): string[] {
  return readdirSync(join(dir, under), { withFileTypes: true }).flatMap((entry) => {
    const path = under === '' ? entry.name : `${under}/${entry.name}`;
    return entry.isDirectory() ? filesIn(dir, path) : [path];
  });
}

/** The client Altair, out of its package: nothing is fetched from elsewhere. Loaded when first asked for. */
export function createAltair({ endpoint, files, subscriptions }: AltairOptions) {
  let loaded: { altair: Altair; dir: string; known: ReadonlySet<string> } | undefined;

  function load() {
    if (loaded) return loaded;
    const altair = require('altair-static') as Altair;
    const dir = altair.getDistDirectory();
    loaded = { altair, dir, known: new Set(filesIn(dir)) };
    return loaded;
  }

  const options = {
    endpointURL: endpoint,
    // Accounts are kept by Altair's makers, on their own servers.
    disableAccount: true,
    ...(subscriptions && {
      subscriptionsEndpoint: endpoint,
      initialSubscriptionRequestHandlerId: 'graphql-ws' as const,
    }),
  };

  function page(): string {
    return load().altair.renderAltair({
      ...options,
      baseURL: `${files}/`,
      serveInitialOptionsInSeperateRequest: setup,
    });
  }

  async function file(context: Context, path: string): Promise<void> {
    const { altair, dir, known } = load();
    if (path !== setup && !known.has(path)) throw notFound();
    context.type = types[extname(path)] ?? 'application/octet-stream';
    context.set('Cache-Control', 'no-cache');
    // Scripts of users run in a frame without any rights, which the usual policy would keep from its own files.
    if (altair.isSandboxFrame(path)) context.set('Content-Security-Policy', altair.SANDBOX_FRAME_CSP);
    context.body = path === setup ? altair.renderInitSnippet(options) : await readFile(join(dir, path));
  }

  return { page, file };
}
