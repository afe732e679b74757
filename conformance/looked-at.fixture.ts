import { join } from 'node:path';
import { type Application, createApplication, definePlugin } from '../core';
import { shipped } from '../plugins/shipped';
import { tokenKinds } from './runner/row';
import type { TokenKeys } from './targets/target';

// For tests: two applications on one database, of which one has a plugin that looks at documents and changes nothing.

export const token = 'conformance-token';
export const tokens = Object.fromEntries(tokenKinds.map((kind) => [kind, `${kind}-token`])) as TokenKeys;

export interface Pair {
  /** Sends what the database wrote as it is. */
  readonly plain: Application;
  /** Makes objects of it, and text of these. */
  readonly looking: Application;
  /** How often documents were looked at. */
  looks(): number;
  close(): Promise<void>;
}

/** The database is the one that the DATABASE_ variables name; without any, a SQLite file in the folder. */
export async function startPair(dataDir: string): Promise<Pair> {
  let looks = 0;
  const plugin = definePlugin({
    name: 'looking',
    apply({ hooks }) {
      hooks.document.result.tapPromise('looking', async (documents) => {
        looks += 1;
        return documents;
      });
    },
  });

  async function start(isLooking: boolean): Promise<Application> {
    const app = await createApplication({
      appDir: join(__dirname, 'fixtures', 'app'),
      dataDir,
      shipped: { ...shipped, plugins: { ...shipped.plugins, looking: { default: isLooking, load: () => plugin } } },
      env: {
        ...process.env,
        CONFORMANCE_TOKEN: token,
        CONFORMANCE_TOKENS: tokenKinds.map((kind) => `${kind}=${tokens[kind]}`).join(),
      },
    });
    await app.start();
    return app;
  }

  const [plain, looking] = [await start(false), await start(true)];
  return {
    plain,
    looking,
    looks: () => looks,
    async close() {
      await plain.close();
      await looking.close();
    },
  };
}
