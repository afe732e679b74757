import type { Bound, RowMatch } from '../../../core';
import type { Dialect } from '../dialects/dialect';
import { listsOf } from './in-list';
import type { TypeTable } from './type-table';

/** Text with its values beside it, for statements that depend on what is written. */
export interface Fragment {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** Numbers placeholders through one statement. */
export function placeholders(dialect: Dialect): () => string {
  let number = 0;
  return () => dialect.placeholder(++number);
}

/** The rows that a write is about, as a condition without prefix. */
export function matchSql(
  { documentId, id, where = [] }: RowMatch,
  table: TypeTable,
  dialect: Dialect,
  next: () => string,
): Fragment {
  const conditions: string[] = [];
  const values: unknown[] = [];
  const equal = (column: string, value: unknown): void => {
    conditions.push(`${column}=${next()}`);
    values.push(value);
  };
  const among = (column: string, wanted: readonly unknown[]): void => {
    conditions.push(wanted.length === 0 ? '1=0' : `${column} in (${wanted.map(next).join(',')})`);
    values.push(...wanted);
  };
  if (Array.isArray(documentId)) among(dialect.id('document_id'), documentId);
  else if (documentId !== undefined) equal(dialect.id('document_id'), documentId);
  if (Array.isArray(id)) among(dialect.id('id'), id);
  else if (id !== undefined) equal(dialect.id('id'), id);
  for (const { attribute, choice } of where) {
    const column = table.column(attribute);
    const stored = (value: Bound): unknown => dialect.store(value, table.storage(attribute));
    if ('is' in choice) equal(column, stored(choice.is));
    else if ('present' in choice) conditions.push(`${column} is ${choice.present ? 'not ' : ''}null`);
    else if ('oneOf' in choice) among(column, choice.oneOf.map(stored));
  }
  return { sql: conditions.length > 0 ? conditions.join(' and ') : '1=1', values };
}

/** A match of many rows as matches of as many as one statement takes. */
export function matchesOf(match: RowMatch): RowMatch[] {
  const { id, documentId } = match;
  if (Array.isArray(id)) return listsOf(id as readonly number[]).map((list) => ({ ...match, id: list }));
  if (Array.isArray(documentId))
    return listsOf(documentId as readonly string[]).map((list) => ({ ...match, documentId: list }));
  return [match];
}
