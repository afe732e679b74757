import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Application, createApplication } from '../core';
import { shipped } from '../plugins/shipped';
import { describeRows } from './runner/jest';
import { commonFeatures, type Feature, tokenKinds } from './runner/row';
import { inProcessTarget } from './targets/in-process';
import type { TokenKeys } from './targets/target';

/** What this distribution has, as far as one target can have it. */
const features: readonly Feature[] = [...commonFeatures, 'api-tokens'];

const token = 'conformance-token';
const tokens = Object.fromEntries(tokenKinds.map((kind) => [kind, `${kind}-token`])) as TokenKeys;
const dataDir = mkdtempSync(join(tmpdir(), 'heddle-conformance-'));
let app: Application;

// The database is the one that the DATABASE_ variables name; without any, a SQLite file in a folder of its own.
describeRows(
  async () => {
    app = await createApplication({
      appDir: join(__dirname, 'fixtures', 'app'),
      dataDir,
      shipped,
      env: {
        ...process.env,
        CONFORMANCE_TOKEN: token,
        CONFORMANCE_TOKENS: tokenKinds.map((kind) => `${kind}=${tokens[kind]}`).join(),
      },
    });
    await app.start();
    return inProcessTarget(app.handler, { token, tokens, features });
  },
  {
    features,
    async stop() {
      await app.close();
      rmSync(dataDir, { recursive: true });
    },
  },
);
