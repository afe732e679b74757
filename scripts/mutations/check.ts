import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Specification } from '../../conformance/runner/load';
import { isBad, rowsOf } from '../../conformance/runner/result';
import type { Row } from '../../conformance/runner/row';
import { run } from '../../conformance/runner/run';
import { httpTarget } from '../../conformance/targets/http';
import { createApplication, definePlugin } from '../../core';
import { shipped } from '../../plugins/shipped';
import { packageRoot } from '../package-root';
import { type Mutation, name } from './mutation';

const token = 'conformance-token';

/** The fixture application with a plugin that breaks it, on a database and a port of its own. */
async function inService<T>(mutation: Mutation | undefined, work: (url: string) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'heddle-mutant-'));
  const { DATABASE_CLIENT: _, DATABASE_FILENAME: __, ...env } = process.env;
  const plugin = definePlugin({ name, apply: ({ hooks }) => mutation?.tap(hooks) });
  const app = await createApplication({
    appDir: join(packageRoot, 'conformance', 'fixtures', 'app'),
    dataDir,
    shipped: { ...shipped, plugins: { [name]: { default: true, load: () => plugin }, ...shipped.plugins } },
    env: { ...env, CONFORMANCE_TOKEN: token, LOG_LEVEL: 'silent' },
  });
  const server = createServer(app.handler);
  try {
    await app.start();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
    server.closeAllConnections();
    await app.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

export interface Verdict {
  /** The first row that fails. */
  noticedBy: string | undefined;
  /** Whether it is a row of a rule that the mutation breaks. */
  byItsRule: boolean;
}

/** Plays rows until one fails: first those of the rules that are broken, then, unless told otherwise, all others. */
export async function verdictOn(
  mutation: Mutation | undefined,
  specification: Specification,
  ownRowsOnly = false,
): Promise<Verdict> {
  const isOwn = (row: Row): boolean => row.rules.some((rule) => mutation?.rules.includes(rule));
  const own = specification.rows.filter(isOwn);
  const others = ownRowsOnly ? [] : specification.rows.filter((row) => !isOwn(row));
  const firstBad = async (url: string, rows: Row[]): Promise<string | undefined> => {
    const stop = new AbortController();
    let bad: string | undefined;
    const target = httpTarget({ url, token, exclusive: true });
    const onRow = (row: Parameters<typeof isBad>[0] & { id: string }) => {
      if (!isBad(row)) return;
      bad ??= row.id;
      stop.abort();
    };
    const result = await run({ ...specification, rows, target, concurrency: 2, signal: stop.signal, onRow });
    return bad ?? rowsOf(result).find(isBad)?.id;
  };
  return inService(mutation, async (url) => {
    const byOwn = await firstBad(url, own);
    return { noticedBy: byOwn ?? (await firstBad(url, others)), byItsRule: byOwn !== undefined };
  });
}
