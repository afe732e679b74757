import { type Choice, type ChoiceContext, type Dimension, type TypeDefinition, validationError } from '../../core';

export const localeParameter = 'locale';
export const localeAttribute = 'locale';

export const isLocalized = ({ pluginOptions }: Pick<TypeDefinition, 'pluginOptions'>): boolean =>
  (pluginOptions['i18n'] as { localized?: boolean } | undefined)?.localized === true;

/** Said by this plugin itself where a filter takes the parameter's place. */
export const anyLocale = Symbol('any locale');

/** Reads of lists and deletions may be about several locales. */
const takesMany = new Set(['find', 'delete']);

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const notOne = (given: unknown) =>
  validationError(`Invalid locale param ${String(given)} provided. Document locales must be strings.`);

const nothing: Choice = { oneOf: [] };

/** The application's locales, as far as choosing needs them. */
export interface KnownLocales {
  /** The locale of requests that name none. */
  byDefault(): string;
  codes(): readonly string[];
}

type Codes = readonly string[];

/** The operators by which lists and deletions may select several of the known locales. */
const operators: Readonly<Record<string, (given: unknown, codes: Codes) => Choice>> = {
  $eq: (given) => ({ is: String(given) }),
  $in: (given) => ({ oneOf: listed(given) }),
  $ne: (given, codes) => ({ oneOf: codes.filter((code) => code !== String(given)) }),
  $notIn: (given, codes) => ({ oneOf: codes.filter((code) => !listed(given).includes(code)) }),
  $null: (given) => (isNo(given) ? { any: true } : nothing),
  $notNull: (given) => (isNo(given) ? nothing : { any: true }),
};

const isNo = (given: unknown): boolean => String(given) === 'false';

const listed = (given: unknown): string[] => (Array.isArray(given) ? given.map(String) : [String(given)]);

function several(given: unknown, codes: Codes): Choice {
  if (Array.isArray(given)) return { oneOf: given.map(String) };
  if (!isRecord(given)) return { is: String(given) };
  const [[operator, value] = [], ...others] = Object.entries(given);
  const choice = others.length === 0 && operator !== undefined ? operators[operator] : undefined;
  if (!choice) throw notOne(given);
  return choice(value, codes);
}

/** What says no locale; `false` comes in a variable of GraphQL. */
const isUnsaid = (given: unknown): boolean => given === undefined || given === null || given === '' || given === false;

function choose(given: unknown, { byDefault, codes }: KnownLocales, { action }: Pick<ChoiceContext, 'action'>): Choice {
  if (given === anyLocale) return { any: true };
  if (isUnsaid(given)) return { is: byDefault() };
  if (typeof given === 'string' && given !== '*') return { is: given };
  if (given === '*' && action === 'findOne') return nothing;
  if (!takesMany.has(action)) throw notOne(given);
  return given === '*' ? { any: true } : several(given, codes());
}

/** In which language a document is. */
export const localeDimension = (locales: KnownLocales): Dimension => ({
  name: 'locale',
  parameter: localeParameter,
  attribute: { name: localeAttribute, definition: { type: 'string' } },
  extends: true,
  appliesTo: isLocalized,
  choose: (given, context) => choose(given, locales, context),
  tie: (given, source) => ({
    is: source ? String(source) : isUnsaid(given) ? locales.byDefault() : String(given),
  }),
  assumed: () => locales.byDefault(),
  describe: (choice) => (choice && 'is' in choice ? `locale "${choice.is}"` : 'locale "null"'),
});
