import { flatMapped, type Predicate } from '../../../../core';

/** The conditions that every document of a list must meet. */
export const demanded = (where: Predicate | undefined): Predicate[] =>
  where?.op === 'and' ? flatMapped(where.items, demanded) : where ? [where] : [];
