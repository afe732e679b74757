import type { Bound } from '../../../../core';
import type { Dialect, Parameter, Parameters } from '../../dialects/dialect';

/** A statement's parameters, in the order of its placeholders. */
export interface CollectedParameters extends Parameters {
  values(bound: readonly Bound[]): unknown[];
}

export function collectParameters(dialect: Dialect): CollectedParameters {
  const collected: Parameter[] = [];
  return {
    add(slot, spell) {
      collected.push({ slot, spell });
      return dialect.placeholder(collected.length);
    },
    values: (bound) => collected.map(({ slot, spell }) => spell(bound[slot]!, bound)),
  };
}
