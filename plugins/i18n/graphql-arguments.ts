import type { CodeScalar, GraphqlHooks } from '../graphql';
import { isLocalized, type KnownLocales, localeParameter } from './locale';

/** Whether people write in it somewhere, though it may be none of this application: of such a one nothing is there. */
function isSpoken(code: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(code)[0] === code;
  } catch {
    // Nothing of the form of a locale.
    return false;
  }
}

/** A code of a locale. One in the document itself must be that of a language; one in variables is looked for. */
const localeCode = ({ codes }: Pick<KnownLocales, 'codes'>): CodeScalar => ({
  name: 'I18NLocaleCode',
  description: 'A string used to identify an i18n locale',
  refusal(code) {
    if (code === undefined) return 'Locale cannot represent non string type';
    return code === '*' || codes().includes(code) || isSpoken(code) ? undefined : 'Unknown locale supplied';
  },
});

/** The parameter of this plugin as an argument of GraphQL's root fields. */
export function addGraphqlArguments({ contribute, arguments: args }: GraphqlHooks, locales: KnownLocales): void {
  contribute.tap({ name: 'i18n', mayWait: true }, (contributions) =>
    contributions.add({ plugin: 'i18n', typeDefs: 'scalar I18NLocaleCode', codes: [localeCode(locales)] }),
  );

  args.tap({ name: 'i18n', mayWait: true }, (all) =>
    all.add({
      name: 'locale',
      definition: '"""The locale to use for the query""" locale: I18NLocaleCode',
      parameter: localeParameter,
      appliesTo: ({ definition }) => isLocalized(definition),
      isLast: true,
    }),
  );
}
