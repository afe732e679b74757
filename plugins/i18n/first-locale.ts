import { attributeOf, type ContentType, type DocumentStore } from '../../core';
import { localeAttribute } from './locale';

/** What was written while types had no locales is in this one from now on. */
export const assignLocale = (types: readonly ContentType[], locale: string, store: DocumentStore): Promise<void> =>
  store.transaction(async (transaction) => {
    for (const type of types) {
      const unsaid = { attribute: attributeOf(type, localeAttribute), choice: { present: false } };
      await transaction.update(type, { where: [unsaid] }, { [localeAttribute]: locale });
    }
  });
