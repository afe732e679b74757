import type { AttributeDefinition, TypeDefinition } from './definition';

/**
 * Which variants of a document an operation is about. The kinds are a closed list, so that a store needs to know no
 * dimension by name.
 */
export type Choice =
  | { readonly is: string | number }
  | { readonly oneOf: readonly (string | number)[] }
  | { readonly present: boolean }
  | { readonly any: true };

export interface ChoiceContext {
  readonly action: string;
  readonly type: TypeDefinition;
}

/**
 * A direction in which a document has variants: `market`, for example, gives each document a row per market. The
 * store keeps the variant in the dimension's attribute; documents are told apart by `documentId` and all dimensions.
 */
export interface Dimension {
  readonly name: string;
  /** The request parameter that selects it; the name, unless given. */
  readonly parameter?: string;
  /** The system attribute that keeps the variant. */
  readonly attribute: { readonly name: string; readonly definition: AttributeDefinition };
  appliesTo(type: TypeDefinition): boolean;
  /** What the parameter's value, or its absence, selects; throws a ValidationError for nonsense. */
  choose(given: unknown, context: ChoiceContext): Choice;
}

export const parameterOf = (dimension: Dimension): string => dimension.parameter ?? dimension.name;
