import { type Application, createApplication } from '../../core';
import { LOCALE_CHANGES, type LocaleChanges } from '../../plugins/i18n';
import { shipped } from '../../plugins/shipped';
import { type FolderOptions, foldersOf } from './application-folder';
import { columns } from './columns';

interface AddOptions extends FolderOptions {
  readonly name?: string;
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);

function changesOf({ kernel: { services } }: Application): LocaleChanges {
  if (!services.has(LOCALE_CHANGES))
    throw new Error('The plugin "i18n" is switched off. Switch it on in config/plugins to have locales.');
  return services.get(LOCALE_CHANGES);
}

/** Starts the application without listening, and closes it again. */
async function withLocales(options: FolderOptions, work: (changes: LocaleChanges) => Promise<void>): Promise<number> {
  const overrides = { server: { logger: { level: 'silent' } } };
  const app = await createApplication({ ...foldersOf(options), shipped, overrides });
  const changes = changesOf(app);
  try {
    await app.start();
    await work(changes);
    return 0;
  } finally {
    await app.close();
  }
}

export const listLocales = (options: FolderOptions): Promise<number> =>
  withLocales(options, async (changes) => {
    const rows = (await changes.list()).map(({ code, name, isDefault }) => [code, name, isDefault ? 'default' : '']);
    print(columns([['CODE', 'NAME', ''], ...rows]));
  });

export const addLocale = (code: string, { name, ...options }: AddOptions): Promise<number> =>
  withLocales(options, async (changes) => {
    const added = await changes.add(code, name);
    print(`The locale "${added.code}" was added: ${added.name}.`);
  });

export const removeLocale = (code: string, options: FolderOptions): Promise<number> =>
  withLocales(options, async (changes) => {
    await changes.remove(code);
    print(`The locale "${code}" was removed.`);
  });

export const chooseDefault = (code: string, options: FolderOptions): Promise<number> =>
  withLocales(options, async (changes) => {
    await changes.makeDefault(code);
    print(`Requests that name no locale get "${code}".`);
  });
