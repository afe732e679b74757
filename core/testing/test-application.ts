import type { Context } from 'koa';
import { type Application, type ApplicationOptions, createApplication } from '../application/application';
import type { Heddle } from '../kernel/heddle';
import type { AnyPlugin } from '../kernel/plugin';
import { appFolder } from './app-folder';

export interface TestApplicationOptions extends Partial<Omit<ApplicationOptions, 'appDir' | 'dataDir' | 'shipped'>> {
  files?: Readonly<Record<string, string | object>>;
  /** Switched on; `inert` names are accepted and do nothing. */
  plugins?: readonly AnyPlugin[];
  inert?: Readonly<Record<string, string>>;
}

export interface TestApplication extends Application {
  /** Closes the application and removes its folder. */
  remove(): Promise<void>;
}

/** A plugin that does one thing. */
export const pluginOf = (name: string, apply: (heddle: Heddle) => void, rest: Partial<AnyPlugin> = {}): AnyPlugin => ({
  name,
  apply,
  ...rest,
});

/** A handler that answers with this. */
export const sends =
  (body: unknown) =>
  (context: Context): void => {
    context.body = body;
  };

/** An application in a throw-away folder, silent unless told otherwise. */
export async function testApplication({
  files,
  plugins = [],
  inert = {},
  ...options
}: TestApplicationOptions = {}): Promise<TestApplication> {
  const folder = appFolder(files);
  const shipped = {
    plugins: Object.fromEntries(plugins.map((plugin) => [plugin.name, { load: () => plugin, default: true }])),
    inert,
  };
  try {
    const app = await createApplication({ env: { NODE_ENV: 'test' }, ...options, ...folder, shipped });
    return {
      ...app,
      async remove() {
        await app.close();
        folder.remove();
      },
    };
  } catch (error) {
    folder.remove();
    throw error;
  }
}
