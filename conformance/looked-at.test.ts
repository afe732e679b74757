import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Pair, startPair, token, tokens } from './looked-at.fixture';
import { describeRows } from './runner/jest';
import { commonFeatures, type Feature } from './runner/row';
import { comparedTarget } from './targets/compared';
import { inProcessTarget } from './targets/in-process';

// Answers go from the database to the socket as they are, unless a plugin looks at documents; then they go by objects.
// Both ways must answer the same bytes: every read of every row is asked of two applications on one database.

const features: readonly Feature[] = [...commonFeatures, 'api-tokens'];
const dataDir = mkdtempSync(join(tmpdir(), 'heddle-looked-at-'));
let pair: Pair;
let compared = 0;

describeRows(
  async () => {
    pair = await startPair(dataDir);
    const [plain, looking] = [pair.plain, pair.looking].map(({ handler }) =>
      inProcessTarget(handler, { token, tokens, features }),
    );
    return comparedTarget(plain!, looking!, () => {
      compared += 1;
    });
  },
  {
    features,
    async stop() {
      await pair.close();
      rmSync(dataDir, { recursive: true });
      // It would prove nothing if nobody had looked.
      expect(compared).toBeGreaterThan(1_000);
      expect(pair.looks()).toBeGreaterThan(1_000);
    },
  },
);
