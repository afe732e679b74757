import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { type Application, createApplication } from '../../core';
import { shipped } from '../shipped';
import { randomWrites } from './adoption-writes.fixture';
import { sqliteDriver } from './database/sqlite-driver';
import { startPeer } from './sync/peer.fixture';

// ADOPT_DIR holds a database that the peer wrote (data.sql.gz) and its answers to reads (answers.json); PEER_DIR is a project of
// the peer with the content types of conformance/fixtures. SEED repeats a run, WRITES says how many writes are made.

const { ADOPT_DIR: adoptFolder, PEER_DIR: peerFolder } = process.env;
const reasons = [
  ...(adoptFolder === undefined
    ? ['ADOPT_DIR is not set: name a folder with data.sql.gz and answers.json of the peer.']
    : []),
  ...(peerFolder === undefined
    ? ['PEER_DIR is not set: name the folder of a Strapi 5 project with the content types of conformance/fixtures.']
    : []),
];

interface Recorded {
  readonly step: string;
  readonly status: number;
  readonly body: unknown;
}

/** What is asked by GraphQL is not repeated here: its text is not whole in the answers. */
const isServed = ({ step }: Recorded): boolean => step.startsWith('GET /api/');

/** As the peer reads big integers: as doubles. Here they keep their digits. */
const rounded = (text: string): string => text.replace(/"(-?\d{16,})"/g, (_all, digits) => `"${Number(digits)}"`);

/** Both texts from a little before where they part. */
function parting(heddle: string, peer: string): { heddle: string; peer: string } {
  let at = 0;
  while (at < heddle.length && heddle[at] === peer[at]) at += 1;
  const shown = (text: string): string => text.slice(Math.max(0, at - 100), at + 160);
  return { heddle: shown(heddle), peer: shown(peer) };
}

/** The key of an API token that is in the database. */
const adoptedKey = (): string => readFileSync(join(adoptFolder!, 'token'), 'utf8').trim();

async function serve(folder: string, filename: string): Promise<{ app: Application; origin: string }> {
  const app = await createApplication({
    appDir: join(__dirname, '../../conformance/fixtures/app'),
    dataDir: folder,
    shipped,
    env: { NODE_ENV: 'test', LOG_LEVEL: 'silent', DATABASE_FILENAME: filename },
  });
  const { url } = await app.listen(0, '127.0.0.1');
  return { app, origin: url.replace(/\/$/, '') };
}

const ask = async (origin: string, path: string): Promise<{ status: number; text: string }> => {
  const response = await fetch(origin + path, { headers: { authorization: `Bearer ${adoptedKey()}` } });
  return { status: response.status, text: await response.text() };
};

if (reasons.length > 0) {
  console.warn(`Skipped: ${reasons.join(' ')}`);
  test.skip(reasons.join(' '), () => undefined);
} else {
  jest.setTimeout(600_000);
  const folder = mkdtempSync(join(tmpdir(), 'heddle-adopt-'));
  const filename = join(folder, 'adopted.db');
  const recorded = (JSON.parse(readFileSync(join(adoptFolder!, 'answers.json'), 'utf8')) as Recorded[]).filter(
    isServed,
  );
  const reads = recorded.map(({ step }) => step.slice('GET '.length));

  beforeAll(() => {
    const database = new (sqliteDriver())(filename);
    database.exec(gunzipSync(readFileSync(join(adoptFolder!, 'data.sql.gz'))).toString());
    database.close();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("a database of the peer is served with the peer's answers, to the byte", async () => {
    const { app, origin } = await serve(folder, filename);
    const different: unknown[] = [];
    for (const { step, status, body } of recorded) {
      const answer = await ask(origin, step.slice('GET '.length));
      const expected = JSON.stringify(body);
      if (answer.status !== status || rounded(answer.text) !== expected)
        different.push({ step, status: answer.status, ...parting(rounded(answer.text), expected) });
    }
    await app.close();
    expect(recorded.length).toBeGreaterThan(90);
    expect(different).toEqual([]);
  });

  test('after random writes the peer opens the database and answers the same', async () => {
    const { app, origin } = await serve(folder, filename);
    const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
    const writes = fc.sample(randomWrites, { seed, numRuns: Number(process.env['WRITES'] ?? 300) });
    const ids: Record<string, string[]> = {};
    const broken: unknown[] = [];
    let done = 0;
    for (const write of writes) {
      for (const type of write.needs) {
        const { text } = await ask(origin, `/api/${type}?status=draft&locale=*&fields=id&pagination[pageSize]=100`);
        ids[type] = [
          ...new Set((JSON.parse(text) as { data: { documentId: string }[] }).data.map(({ documentId }) => documentId)),
        ];
      }
      const { method, path, data } = write.request(
        (type, at) => ids[type]![at % Math.max(1, ids[type]!.length)] ?? 'none',
      );
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${adoptedKey()}` };
      const { status, ok } = await fetch(origin + path, {
        method,
        headers,
        ...(data && { body: JSON.stringify({ data }) }),
      });
      if (status >= 500) broken.push({ seed, method, path, data });
      if (ok) done += 1;
    }
    const expected = await Promise.all(reads.map(async (path) => ({ path, ...(await ask(origin, path)) })));
    await app.close();
    expect(broken).toEqual([]);
    expect(done).toBeGreaterThan(writes.length / 3);

    const peer = await startPeer(peerFolder!, 'sqlite', filename);
    try {
      const different: unknown[] = [];
      for (const { path, status, text } of expected) {
        const answer = await peer.get(path, adoptedKey()).catch((error: Error) => error.message);
        const same =
          status === 200 ? JSON.stringify(answer) === rounded(text) : String(answer).includes(`: ${status} `);
        if (!same) different.push({ seed, path, ...parting(rounded(text), JSON.stringify(answer)) });
      }
      expect(different).toEqual([]);
    } finally {
      await peer.stop();
    }
  });
}
