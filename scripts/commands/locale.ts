import type { RawConfig } from '../../core';
import { LOCALE_CHANGES, type LocaleChanges } from '../../plugins/i18n';
import type { FolderOptions } from './application-folder';
import { columns } from './columns';
import { print, readingOnly, withApplication } from './with-application';

interface AddOptions extends FolderOptions {
  readonly name?: string;
}

const withLocales = (
  options: FolderOptions,
  work: (changes: LocaleChanges) => Promise<void>,
  config: RawConfig = {},
): Promise<number> =>
  withApplication(options, { plugin: 'i18n', reason: 'locales', config }, (service) => work(service(LOCALE_CHANGES)));

export const listLocales = (options: FolderOptions): Promise<number> =>
  withLocales(
    options,
    async (changes) => {
      const rows = (await changes.list()).map(({ code, name, isDefault }) => [code, name, isDefault ? 'default' : '']);
      print(columns([['CODE', 'NAME', ''], ...rows]));
    },
    readingOnly,
  );

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
