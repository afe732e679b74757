import type { Attribute, ContentType, SomePredicate } from '../../../core';
import type { Dialect, Parameters } from '../dialects/dialect';
import type { TypeTable } from './type-table';

/** What a piece of a statement is written with: the dialect, the parameters so far, and names for further tables. */
export interface Scope {
  readonly dialect: Dialect;
  readonly parameters: Parameters;
  tableOf(type: ContentType): TypeTable;
  /** A condition on what is linked, by which rows are looked up instead of gone through. */
  readonly sought?: SomePredicate;
  /** A name that nothing else in the statement has. */
  alias(): string;
}

export function createScope(
  dialect: Dialect,
  parameters: Parameters,
  tableOf: Scope['tableOf'],
  sought?: SomePredicate,
): Scope {
  let number = 0;
  return { dialect, parameters, tableOf, sought, alias: () => `n${++number}` };
}

/** A row that a piece of a statement is about: a row of a type's table, under a name. */
export interface RowAt {
  readonly table: TypeTable;
  readonly alias: string;
}

export const columnAt = ({ table, alias }: RowAt, attribute: Attribute): string => table.column(attribute, `${alias}.`);
export const idAt = ({ alias }: RowAt, { dialect }: Scope): string => `${alias}.${dialect.id('id')}`;
