import { index, orderedIndex } from './columns';
import { columnName, lookupName, narrowName } from './identifiers';
import type { Index } from './layout';
import type { LayoutAttribute, LayoutModel, ScalarAttribute, ScalarStorage } from './model';

/** What decides whether a row is seen: with it in the index, a page is found without reading rows. */
const seen = ['published_at', 'locale'];

/** What tables of the system are searched by, request for request. */
const soughtColumns: Readonly<Record<string, readonly string[]>> = {
  strapi_sessions: ['session_id', 'user_id', 'absolute_expires_at'],
  strapi_api_tokens: ['access_key'],
  up_users: ['email', 'reset_password_token', 'confirmation_token'],
};

/** The indexes that keep logging in, and asking with a token, at the same cost however many users there are. */
export const systemLookups = (table: string): Index[] =>
  (soughtColumns[table] ?? []).map((column) => index(lookupName(table, column), column));

/** Too long for the key of an index on some database. */
export const unbounded: ReadonlySet<ScalarStorage> = new Set(['text', 'json']);

const isSought = (attribute: LayoutAttribute): attribute is ScalarAttribute =>
  'unique' in attribute && attribute.unique === true && !unbounded.has(attribute.storage);

/** With more columns it would be nearly as wide as the table. */
const mostNarrow = 24;

/** A tenth of a table or less: what lists ask of rows that no other index finds or sorts, by whether they are published. */
function narrowOf({ attributes, modelKind }: LayoutModel, table: string): Index | undefined {
  if (modelKind !== 'collectionType') return undefined;
  const listed = Object.entries(attributes).filter(
    (entry): entry is [string, ScalarAttribute] => 'listed' in entry[1] && entry[1].listed === true,
  );
  if (listed.length === 0) return undefined;
  const columnsOf = (areTexts: boolean): string[] =>
    listed
      .filter(([, { storage }]) => (storage === 'string') === areTexts)
      .map(([name, attribute]) => columnName(name, attribute.columnName));
  const columns = new Set([...seen, ...columnsOf(false), 'created_at', 'updated_at', ...columnsOf(true)]);
  return { ...index(narrowName(table), ...[...columns].slice(0, mostNarrow)), narrow: true };
}

/**
 * The indexes that keep pages, and what is found and sorted by a unique attribute, or one that the configuration names, at
 * the same cost however many documents there are. They hold the order of a page whole, which ends in the row's id.
 */
export function lookupsOf(model: LayoutModel, table: string): Index[] {
  const sought = Object.entries(model.attributes).filter((entry): entry is [string, ScalarAttribute] =>
    isSought(entry[1]),
  );
  const asked = (model.sortedBy ?? []).map((name) => [name, model.attributes[name]] as const);
  const columns = new Set(
    [...sought, ...asked].map(([name, attribute]) => columnName(name, (attribute as ScalarAttribute)?.columnName)),
  );
  const narrow = narrowOf(model, table);
  return [
    index(lookupName(table, 'id'), 'id', ...seen),
    ...[...columns].map((column) => orderedIndex(lookupName(table, column), column, column, 'id', ...seen)),
    ...(narrow ? [narrow] : []),
  ];
}
