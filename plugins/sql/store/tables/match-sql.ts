import type { Bound, RowMatch } from '../../../../core';
import type { Dialect } from '../../dialects/dialect';
import { listsOf } from './in-list';
import type { TypeTable } from './type-table';

/** Numbers placeholders through one statement. */
export function placeholders(dialect: Dialect): () => string {
  let number = 0;
  return () => dialect.placeholder(++number);
}

const isList = Array.isArray as (value: unknown) => value is readonly unknown[];

/** The rows that a write is about, as a condition without prefix. */
export function conditionOf(
  { documentId, documentOf, id, behind, where = [] }: RowMatch,
  table: TypeTable,
  dialect: Dialect,
  next: () => string,
): string {
  const conditions: string[] = [];
  const among = (column: string, wanted: readonly unknown[]): string =>
    wanted.length === 0 ? '1=0' : `${column} in (${wanted.map(next).join(',')})`;
  const same = (column: string, wanted: unknown): string =>
    isList(wanted) ? among(column, wanted) : `${column}=${next()}`;
  const document = dialect.id('document_id');
  if (documentId !== undefined) conditions.push(same(document, documentId));
  if (documentOf !== undefined)
    conditions.push(
      `${document} in (select ${document} from ${table.name} where ${among(dialect.id('id'), documentOf)})`,
    );
  if (id !== undefined) conditions.push(same(dialect.id('id'), id));
  if (behind !== undefined) conditions.push(`${dialect.id('id')}>${next()}`);
  for (const { attribute, choice } of where) {
    const own = table.column(attribute);
    // However few the wanted rows are, what tells versions and locales apart is shared by half of the table.
    const column = table.isVariant(attribute) ? dialect.unindexed(own) : own;
    if ('is' in choice) conditions.push(same(column, choice.is));
    else if ('present' in choice) conditions.push(`${column} is ${choice.present ? 'not ' : ''}null`);
    else if ('oneOf' in choice) conditions.push(among(column, choice.oneOf));
  }
  return conditions.length > 0 ? conditions.join(' and ') : '1=1';
}

/** The values of that condition's placeholders. */
export function valuesOf(
  { documentId = [], documentOf = [], id = [], behind, where = [] }: RowMatch,
  table: TypeTable,
  dialect: Dialect,
): unknown[] {
  const values: unknown[] = [];
  for (const wanted of [documentId, documentOf, id, behind ?? []])
    for (const each of isList(wanted) ? wanted : [wanted]) values.push(each);
  for (const { attribute, choice } of where) {
    const stored = (value: Bound): unknown => dialect.store(value, table.storage(attribute));
    if ('is' in choice) values.push(stored(choice.is));
    else if ('oneOf' in choice) values.push(...choice.oneOf.map(stored));
  }
  return values;
}

/** Equal for matches whose conditions differ in nothing but the values. */
export function shapeOfMatch({ documentId, documentOf, id, behind, where = [] }: RowMatch): string {
  const shape: (string | number)[] = [documentId, documentOf, id, behind].map((wanted) =>
    isList(wanted) ? wanted.length : typeof wanted,
  );
  for (const { attribute, choice } of where) {
    if ('is' in choice) shape.push(`${attribute.name}=`);
    else if ('present' in choice) shape.push(`${attribute.name}${choice.present ? '+' : '-'}`);
    else if ('oneOf' in choice) shape.push(`${attribute.name}${choice.oneOf.length}`);
  }
  return shape.join();
}

/** A match of many rows as matches of as many as one statement takes. */
export function matchesOf(match: RowMatch): RowMatch[] {
  const { id, documentId, documentOf } = match;
  if (isList(id)) return listsOf(id).map((list) => ({ ...match, id: list }));
  if (isList(documentId)) return listsOf(documentId).map((list) => ({ ...match, documentId: list }));
  if (documentOf) return listsOf(documentOf).map((list) => ({ ...match, documentOf: list }));
  return [match];
}
