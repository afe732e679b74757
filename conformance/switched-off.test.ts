import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Application, createApplication } from '../core';
import { shipped } from '../plugins/shipped';
import { describeRows } from './runner/jest';
import { load } from './runner/load';
import { commonFeatures, type Feature } from './runner/row';
import { inProcessTarget } from './targets/in-process';

const token = 'conformance-token';
const { rows, scenes } = load().specification;
const aboutAbsence = rows.filter((row) => row.without);

/** What is there as in the whole application, whose rows are played elsewhere. */
const others: Feature[] = ['users-permissions', 'graphql', 'aggregates'];

/** Plugins that an application may do without; what its types then do is in rows too. */
const variants: { off: string[]; missing: Feature[]; played: typeof rows }[] = [
  { off: ['draft-publish'], missing: ['draft-publish', 'beyond'], played: aboutAbsence },
  { off: ['i18n'], missing: ['i18n'], played: aboutAbsence },
  { off: ['draft-publish', 'i18n'], missing: ['draft-publish', 'beyond', 'i18n'], played: rows },
  { off: ['upload'], missing: ['upload'], played: aboutAbsence },
];

describe.each(variants)('without $off', ({ off, missing, played }) => {
  const features = commonFeatures.filter((name) => !missing.includes(name));
  const dataDir = mkdtempSync(join(tmpdir(), 'heddle-switched-off-'));
  const { DATABASE_CLIENT: _, DATABASE_FILENAME: __, ...env } = process.env;
  let app: Application;

  describeRows(
    async () => {
      app = await createApplication({
        appDir: join(__dirname, 'fixtures', 'app'),
        dataDir,
        shipped,
        overrides: { plugins: Object.fromEntries(off.map((name) => [name, false])) },
        env: { ...env, CONFORMANCE_TOKEN: token },
      });
      await app.start();
      return inProcessTarget(app.handler, { token, features });
    },
    {
      features,
      off: others,
      rows: played,
      scenes,
      async stop() {
        await app.close();
        rmSync(dataDir, { recursive: true });
      },
    },
  );
});
