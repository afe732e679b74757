import type { Bound, ReadPlan } from '../../../../core';
import type { Database } from '../../database/database';
import type { Dialect } from '../../dialects/dialect';
import { seeking } from '../select/bounds';
import type { BoundStatement } from '../select/read-sql';
import { collectParameters } from '../select/statement-parts';
import { createScope, type Scope, type Way } from '../tables/scope';

/** Beyond it, a list is whole for all that matters here. */
export const largestPage = 1e6;

/** Finds out which way to a list is the shortest. */
export interface WayFinder {
  readonly ways: readonly Way[];
  readonly statements: readonly BoundStatement[];
  /** What the answer depends on, besides what is written. */
  keyOf(bound: readonly Bound[]): string;
  choose(from: Pick<Database, 'rows'>, bound: readonly Bound[]): Promise<Way>;
}

/** Writes what a finder asks of the database about a plan. */
export const statementWriter =
  ({ where }: Pick<ReadPlan, 'where'>, tableOf: Scope['tableOf'], dialect: Dialect) =>
  (text: (scope: Scope) => string): BoundStatement => {
    const parameters = collectParameters(dialect);
    return seeking({ sql: text(createScope(dialect, parameters, tableOf)), parameters }, where);
  };
