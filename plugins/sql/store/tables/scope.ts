import type { Attribute, ContentType, Populated, SomePredicate } from '../../../../core';
import type { Dialect, Parameters } from '../../dialects/dialect';
import type { TypeTable } from './type-table';

/**
 * How a list is found by a condition on what is linked. What meets it is looked up first; or, where that is one row, its links
 * are gone along in the order of the list; or it is looked for with each row of the list.
 */
export interface SoughtLink {
  readonly way: 'first' | 'along' | 'each';
  readonly some: SomePredicate;
}

/**
 * Nothing linked is sought, but the planner would have it otherwise: rows are gone through in the order of their ids; or those that
 * are asked for are found in the index that stands for the table, and sorted, though another index has the order.
 */
export interface SoughtRows {
  readonly way: 'inOrder' | 'sorted';
  readonly some?: undefined;
}

export type Sought = SoughtLink | SoughtRows;

export type Way = Sought['way'];

/** What a piece of a statement is written with: the dialect, the parameters so far, and names for further tables. */
export interface Scope {
  readonly dialect: Dialect;
  readonly parameters: Parameters;
  tableOf(type: ContentType): TypeTable;
  readonly sought?: Sought;
  /** A name that nothing else in the statement has. */
  alias(): string;
  /** How many relations lead from the document to what is written. */
  readonly relations: number;
  /** What stands in a row's text for what is read apart from it; nothing for what is written into the text itself. */
  readonly gapFor?: (owner: RowAt, populated: Populated, missing: string) => string | undefined;
}

export function createScope(
  dialect: Dialect,
  parameters: Parameters,
  tableOf: Scope['tableOf'],
  sought?: Sought,
): Scope {
  let number = 0;
  return { dialect, parameters, tableOf, sought, alias: () => `n${++number}`, relations: 0 };
}

/** A row that a piece of a statement is about: a row of a type's table, under a name. */
export interface RowAt {
  readonly table: TypeTable;
  readonly alias: string;
}

/** The text of a row, and what has to be joined to the row for it. */
export interface RowText {
  readonly text: string;
  readonly join: string;
}

export const columnAt = ({ table, alias }: RowAt, attribute: Attribute): string => table.column(attribute, `${alias}.`);
export const idAt = ({ alias }: RowAt, { dialect }: Scope): string => `${alias}.${dialect.id('id')}`;
