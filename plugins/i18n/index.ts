import {
  CONTENT,
  choicesOf,
  definePlugin,
  forbidden,
  type HeddleError,
  newlyServed,
  type Operation,
  ProjectError,
  problem,
  refuseIfAny,
  STORE,
  type StoreTransaction,
  token,
  validationError,
} from '../../core';
import { restPrefix } from '../rest';
import { DATABASE } from '../sql';
import { assignLocale } from './first-locale';
import { addGraphqlArguments } from './graphql-arguments';
import { anyLocale, isLocalized, localeAttribute, localeDimension, localeParameter } from './locale';
import { createLocaleChanges, type LocaleChanges } from './locale-changes';
import { withLocaleType } from './locale-type';
import { createLocales, type Locales, nameOf } from './locales';
import { localizedProblems } from './localized-options';
import { type I18nOptions, i18nOptions } from './options';
import { sharedAttributes } from './shared-attributes';
import { inherited, shareValues } from './shared-values';

/** The application's locales, for other plugins and the command line. */
export const LOCALES = token<Locales>('i18n.locales');
export const LOCALE_CHANGES = token<LocaleChanges>('i18n.locale-changes');
export { nameOf } from './locales';
export type { LocaleChanges, Locales };

const reading = new Set(['find', 'findOne']);
const writing = new Set(['create', 'update', 'publish', 'discardDraft', 'attach']);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A filter on the locale at the top of a read's filters stands in place of the parameter. */
function withFilterAsParameter(operation: Operation): Operation {
  const { type, action, query } = operation;
  const filtersLocale = reading.has(action) && isRecord(query.filters) && Object.hasOwn(query.filters, localeAttribute);
  if (!filtersLocale || !isLocalized(type.definition)) return operation;
  return { ...operation, query: { ...query, parameters: { ...query.parameters, [localeParameter]: anyLocale } } };
}

const fixedValue = (key: string): HeddleError =>
  validationError(`Invalid key ${key}: it is the same in all locales and can't be set by adding one`, {
    key,
    path: key,
    source: 'body',
  });

const noLocale = (code: string, codes: readonly string[]): ProjectError =>
  new ProjectError([
    problem(
      'config/plugins',
      `names "${code}" as default, which is none of the application's locales: ${codes.join(', ')}.`,
      `Add it to them, as in locales: ['${code}'], or name one of these.`,
      'i18n.config.defaultLocale',
    ),
  ]);

export default definePlugin<I18nOptions>({
  name: 'i18n',
  requires: ['sql'],
  after: ['rest', 'graphql', 'draft-publish'],
  options: i18nOptions,
  apply({ hooks, service, config }, options) {
    const locales = createLocales(() => service(DATABASE));
    /** Told only once nothing else is wrong with the write. Of an attempt that lost, nothing is: the next one may find it so. */
    const refused = new WeakMap<StoreTransaction, HeddleError>();
    const dimension = localeDimension(locales);

    hooks.lifecycle.provide.tap('i18n', (services) => {
      services.add(LOCALES, () => locales);
      services.add(LOCALE_CHANGES, (all) =>
        createLocaleChanges({ locales, options, registry: () => all.get(CONTENT), store: () => all.get(STORE) }),
      );
    });

    if (hooks.graphql) addGraphqlArguments(hooks.graphql, locales);

    hooks.content.dimensions.tap('i18n', (dimensions) => dimensions.add(dimension.name, dimension));

    hooks.content.types.tapPromise('i18n', async (definitions) => {
      refuseIfAny(localizedProblems(definitions));
      return withLocaleType(definitions);
    });

    hooks.content.kinds.tap('i18n', (kinds) =>
      kinds.add('variants', {
        name: 'variants',
        nested: ({ of }) => ({ storage: 'variants', many: true, targets: [String(of)] }),
      }),
    );

    hooks.content.type.tap('i18n', (definition) =>
      isLocalized(definition)
        ? {
            ...definition,
            systemAttributes: {
              ...definition.systemAttributes,
              localizations: { type: 'variants', along: localeAttribute, of: definition.uid },
            },
          }
        : definition,
    );

    // Locales tell rows apart that may lack a draft, too.
    const { boot } = hooks.lifecycle;
    const areDraftsServed = boot.taps.some(({ name }) => name === 'draft-publish');
    boot.tapPromise({ name: 'i18n', ...(areDraftsServed && { before: 'draft-publish' }) }, async () => {
      await locales.reload();
      for (const wanted of options.locales) {
        const code = typeof wanted === 'string' ? wanted : wanted.code;
        if (locales.codes().includes(code)) continue;
        await locales.add(typeof wanted === 'string' ? { code, name: nameOf(code) } : wanted);
      }
      const { defaultLocale = locales.byDefault() } = options;
      if (defaultLocale !== locales.byDefault()) {
        if (!locales.codes().includes(defaultLocale)) throw noLocale(defaultLocale, locales.codes());
        await locales.makeDefault(defaultLocale);
      }
      const store = service(STORE);
      const served = service(CONTENT).documents.filter(({ definition }) => isLocalized(definition));
      const { types, remember } = await newlyServed(store, localeAttribute, served);
      if (types.length > 0) await assignLocale(types, defaultLocale, store);
      await remember();
    });

    hooks.document.params.tap('i18n', withFilterAsParameter);

    hooks.document.data.tapPromise('i18n', async (data, { type, query }) => {
      const code = query.parameters?.[localeParameter];
      if (isLocalized(type.definition) && typeof code === 'string' && code !== '' && !(await locales.isKnown(code))) {
        throw validationError(
          `The locale "${code}" is none of this application. Its locales are ${locales.codes().join(', ')}.`,
        );
      }
      return data;
    });

    hooks.document.variant.tapPromise('i18n', async (data, { operation, siblings, transaction }) => {
      const { type, may } = operation;
      if (!isLocalized(type.definition)) return data;
      if (may && !(await may(`${type.uid}.createLocalization`))) throw forbidden();
      const fixed = sharedAttributes(type).find(
        ({ name }) => data[name] !== undefined && data[name] !== null && siblings.some((row) => row[name] !== null),
      );
      if (fixed) refused.set(transaction, fixedValue(fixed.name));
      const others = choicesOf({ ...operation, action: 'findOne' }).filter(
        ({ attribute }) => attribute.name !== localeAttribute,
      );
      const isSameVersion = (row: (typeof siblings)[number]): boolean =>
        others.every(
          ({ attribute, choice }) => !('present' in choice) || (row[attribute.name] !== null) === choice.present,
        );
      const given = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));
      const [byDefault, locale] = [
        locales.byDefault(),
        String(operation.query.parameters?.[localeParameter] || locales.byDefault()),
      ];
      const taken = await inherited(
        type,
        { siblings, byDefault, locale, isSameVersion },
        { transaction, registry: service(CONTENT) },
      );
      return { ...data, ...taken, ...given };
    });

    hooks.document.written.tapPromise('i18n', async ({ operation, documentId }, transaction) => {
      const refusal = refused.get(transaction);
      if (refusal) throw refusal;
      if (!writing.has(operation.action) || !isLocalized(operation.type.definition)) return;
      await shareValues({
        operation,
        documentId,
        byDefault: locales.byDefault(),
        transaction,
        registry: service(CONTENT),
      });
    });

    hooks.http.routes.tap('i18n', (routes) =>
      routes.add({
        method: 'GET',
        path: `${restPrefix(config())}/i18n/locales`,
        access: { action: 'plugin::i18n.locales.listLocales' },
        async handle(context) {
          context.body = await locales.list();
        },
      }),
    );
  },
});
