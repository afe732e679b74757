import type { AttributeDefinition } from './definition';
import type { AttributeKind } from './kinds/kind';

/** A live attribute of a content type: its definition with the kind that answers for it. */
export interface Attribute {
  readonly name: string;
  readonly kind: AttributeKind;
  readonly definition: AttributeDefinition;
  /** Neither shown nor accepted in queries, whoever asks. */
  readonly hidden: boolean;
  /** Kept by the service: shown, but not accepted in bodies. */
  readonly system: boolean;
}

export const isTrue = (attribute: Attribute, option: string): boolean => attribute.definition[option] === true;
