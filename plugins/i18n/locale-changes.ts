import { attributeOf, type ContentRegistry, type DocumentStore } from '../../core';
import { isLocalized, localeAttribute } from './locale';
import { type ListedLocale, type Locale, type Locales, nameOf } from './locales';
import type { I18nOptions } from './options';

export interface LocaleChanges {
  list(): Promise<ListedLocale[]>;
  /** Named in English, unless a name is given. */
  add(code: string, name?: string): Promise<Locale>;
  /** Refused while there is content in it. */
  remove(code: string): Promise<void>;
  makeDefault(code: string): Promise<void>;
}

interface Changing {
  readonly locales: Locales;
  readonly options: I18nOptions;
  registry(): ContentRegistry;
  store(): DocumentStore;
}

const file = 'config/plugins';

function refuse(code: string, what: string, remedy: string): never {
  throw new Error(`The locale "${code}" ${what} ${remedy}`);
}

/** How many documents of each type are there in a locale, in whatever version. */
function contentIn(code: string, registry: ContentRegistry, store: DocumentStore): Promise<string[]> {
  return store.transaction(async (transaction) => {
    const found: string[] = [];
    for (const type of registry.documents) {
      if (!isLocalized(type.definition)) continue;
      const where = [{ attribute: attributeOf(type, localeAttribute), choice: { is: code } }];
      const rows = await transaction.rows(type, { where }, ['documentId']);
      const count = new Set(rows.map((row) => row['documentId'])).size;
      if (count > 0) found.push(`${count} ${count === 1 ? 'document' : 'documents'} of ${type.uid}`);
    }
    return found;
  });
}

/** Changes of the locales, as a person asks for them: each mistake is told with its remedy. */
export function createLocaleChanges({ locales, options, registry, store }: Changing): LocaleChanges {
  const declared = options.locales.map((each) => (typeof each === 'string' ? each : each.code));

  function refuseUnknown(code: string): void {
    if (!locales.codes().includes(code))
      refuse(code, 'is none of this application.', `Its locales are ${locales.codes().join(', ')}.`);
  }

  return {
    list: locales.list,
    async add(code, name = nameOf(code)) {
      if (await locales.isKnown(code)) refuse(code, 'is there already.', 'Nothing needs to be done.');
      await locales.add({ code, name });
      return { code, name };
    },
    async remove(code) {
      await locales.reload();
      refuseUnknown(code);
      if (code === locales.byDefault())
        refuse(code, 'is the default.', 'Choose another default first: heddle locale default CODE.');
      if (declared.includes(code))
        refuse(code, `is listed in ${file}, so the next start would add it again.`, 'Take it out of the list first.');
      const content = await contentIn(code, registry(), store());
      if (content.length > 0)
        refuse(code, `has content: ${content.join(', ')}.`, `Delete that first: DELETE …?locale=${code}.`);
      await locales.remove(code);
    },
    async makeDefault(code) {
      await locales.reload();
      refuseUnknown(code);
      const { defaultLocale } = options;
      if (defaultLocale !== undefined && defaultLocale !== code) {
        refuse(
          code,
          `can't be the default: ${file} says that "${defaultLocale}" is.`,
          'Change defaultLocale there, or take it out.',
        );
      }
      await locales.makeDefault(code);
    },
  };
}
