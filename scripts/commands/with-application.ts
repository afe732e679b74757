import { type Application, createApplication, type RawConfig, type Token } from '../../core';
import { shipped } from '../../plugins/shipped';
import { cleanedUp } from '../clean-up';
import { type FolderOptions, keepingFoldersOf } from './application-folder';

export const print = (text: string): void => void process.stdout.write(`${text}\n`);

export type ServiceOf = <T>(token: Token<T>) => T;

/** What a command needs that reads only: nothing is made to be as declared for it. */
export const readingOnly: RawConfig = { access: { apply: false } };

/** Starts the application without listening, lets a command work with its services, and closes it again. */
export async function withApplication(
  options: FolderOptions,
  { plugin, reason, config = {} }: { plugin: string; reason: string; config?: RawConfig },
  work: (service: ServiceOf) => Promise<void>,
): Promise<number> {
  const overrides = { ...config, server: { logger: { level: 'silent' } } };
  const app: Application = await createApplication({ ...keepingFoldersOf(options), shipped, overrides });
  if (!app.kernel.order.includes(plugin))
    throw new Error(`The plugin "${plugin}" is switched off. Switch it on in config/plugins to have ${reason}.`);
  const run = async (): Promise<number> => {
    await app.start();
    await work(app.kernel.services.get);
    return 0;
  };
  return cleanedUp(run, app.close);
}
