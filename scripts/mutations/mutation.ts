import type { definePlugin } from '../../core';

type Plugin = ReturnType<typeof definePlugin>;
export type Hooks = Parameters<Plugin['apply']>[0]['hooks'];

/** A small way in which a service may be wrong. */
export interface Mutation {
  readonly id: string;
  /** The catalogue's rules that it breaks. */
  readonly rules: readonly string[];
  tap(hooks: Hooks): void;
}

/** The name of the plugin that breaks the service. */
export const name = 'mutant';

export const rest = (...names: string[]): string[] => names.map((one) => `spec.filters.op.${one}`);
export const both = (...names: string[]): string[] =>
  names.flatMap((one) => [...rest(one), `spec.graphql-filters.op.${one}`]);
