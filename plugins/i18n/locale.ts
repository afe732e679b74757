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

type Plain = string | number | boolean;

const isPlain = (value: unknown): value is Plain => ['string', 'number', 'boolean'].includes(typeof value);

/** More are asked for by nobody; a variable of GraphQL may hold as many as a body does. */
const mostLocales = 100;
const mostTold = 100;

/** As JavaScript spells it, whatever keys an object has that comes in a body. */
function spelt(given: unknown): string {
  if (Array.isArray(given)) return given.slice(0, mostLocales).map(spelt).join().slice(0, mostTold);
  return isRecord(given) ? '[object Object]' : String(given).slice(0, mostTold);
}

const notOne = (given: unknown) =>
  validationError(`Invalid locale param ${spelt(given)} provided. Document locales must be strings.`);

const nothing: Choice = { oneOf: [] };

/** The application's locales, as far as choosing needs them. */
export interface KnownLocales {
  /** The locale of requests that name none. */
  byDefault(): string;
  codes(): readonly string[];
}

type Codes = readonly string[];

const isNo = (given: unknown): boolean => given === false || given === 'false';

function listed(given: unknown): string[] {
  const items: unknown[] = Array.isArray(given) ? given : [given];
  if (!items.every(isPlain)) throw notOne(given);
  const named = [...new Set(items.map(String))];
  if (named.length > mostLocales) throw validationError(`A request may ask for ${mostLocales} locales at most.`);
  return named;
}

function oneIn(given: unknown): string {
  if (!isPlain(given)) throw notOne(given);
  return String(given);
}

function besides(given: unknown, codes: Codes): Choice {
  const left = new Set(listed(given));
  return { oneOf: codes.filter((code) => !left.has(code)) };
}

/** The operators by which lists and deletions may select several of the known locales. */
const operators: ReadonlyMap<string, (given: unknown, codes: Codes) => Choice> = new Map([
  ['$eq', (given) => ({ is: oneIn(given) })],
  ['$in', (given) => ({ oneOf: listed(given) })],
  ['$ne', (given, codes) => besides(oneIn(given), codes)],
  ['$notIn', besides],
  ['$null', (given) => (isNo(given) ? { any: true } : nothing)],
  ['$notNull', (given) => (isNo(given) ? nothing : { any: true })],
]);

function several(given: unknown, codes: Codes): Choice {
  if (isPlain(given)) return { is: String(given) };
  if (Array.isArray(given)) return { oneOf: listed(given) };
  const [[operator, value] = [], ...others] = isRecord(given) ? Object.entries(given) : [];
  const choice = others.length === 0 && operator !== undefined ? operators.get(operator) : undefined;
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
    is: source ? String(source) : isUnsaid(given) ? locales.byDefault() : spelt(given),
  }),
  assumed: () => locales.byDefault(),
  describe: (choice) => (choice && 'is' in choice ? `locale "${choice.is}"` : 'locale "null"'),
});
