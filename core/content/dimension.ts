import type { AttributeDefinition, TypeDefinition } from './definition';
import type { Bound, Row } from './store';

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
  /** Changing a document in a variant that it doesn't have adds the variant. */
  readonly extends?: boolean;
  /** Whether a variant may be replaced by another row as a whole: whoever links one waits for who does that. */
  readonly replaces?: boolean;
  appliesTo(type: TypeDefinition): boolean;
  /** What the parameter's value, or its absence, selects; throws a ValidationError for nonsense. */
  choose(given: unknown, context: ChoiceContext): Choice;
  /** The parameter by which a deletion is narrowed, among the rows of its document; the one that was given, unless said. */
  fitting?(given: unknown, rows: readonly Row[]): unknown;
  /** Which variants of a linked document a read shows, by the same parameter; all that are linked, unless said. */
  show?(given: unknown, context: ChoiceContext): Choice;
  /**
   * Which variants of a document a new link ties to: `given` is what the link itself says, `source` the value in the row
   * that the link starts from, undefined where its type lacks the dimension. All variants, unless said.
   */
  tie?(given: unknown, source: Bound | undefined): Choice;
  /** What messages about a link take its parameter for, where the type that the link starts from lacks the dimension. */
  assumed?(): string;
  /** How messages name the variant that was looked for, such as `market "north"`; undefined for types without variants. */
  describe?(choice: Choice | undefined): string | undefined;
  /** Whether a write is work in progress, by the same parameter: then it is checked less strictly. */
  sketches?(given: unknown, context: ChoiceContext): boolean;
}

export const parameterOf = (dimension: Dimension): string => dimension.parameter ?? dimension.name;
