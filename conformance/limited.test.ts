import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Application, createApplication } from '../core';
import { shipped } from '../plugins/shipped';
import { describeRows } from './runner/jest';
import { load } from './runner/load';
import { commonFeatures, type Feature } from './runner/row';
import { inProcessTarget } from './targets/in-process';

// The rows about the rate limit, which the others would run into.

const features: readonly Feature[] = [...commonFeatures, 'rate-limit'];
const { rows, scenes } = load().specification;
const dataDir = mkdtempSync(join(tmpdir(), 'heddle-limited-'));
const token = 'conformance-token';
let app: Application;

describeRows(
  async () => {
    app = await createApplication({
      appDir: join(__dirname, 'fixtures', 'app'),
      dataDir,
      shipped,
      overrides: { plugins: { 'users-permissions': { config: { ratelimit: { enabled: true } } } } },
      env: { ...process.env, CONFORMANCE_TOKEN: token },
    });
    await app.start();
    return inProcessTarget(app.handler, { token, features });
  },
  {
    features,
    rows: rows.filter(({ needs }) => needs.includes('rate-limit')),
    scenes,
    async stop() {
      await app.close();
      rmSync(dataDir, { recursive: true });
    },
  },
);
