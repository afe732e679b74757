import type { Attribute } from './attribute';
import type { ModelKind, TypeDefinition } from './definition';
import type { Dimension } from './dimension';
import type { Nested } from './nested';

/** A content type ready for use; frozen after start-up. */
export interface ContentType {
  readonly uid: string;
  readonly modelKind: ModelKind;
  readonly singularName: string;
  readonly pluralName: string;
  readonly definition: TypeDefinition;
  /** What a document shows by itself, in the order of answers. */
  readonly attributes: ReadonlyMap<string, Attribute>;
  /** What a document shows when it is populated, in the order of answers. */
  readonly nested: ReadonlyMap<string, Nested>;
  /** Why an attribute of the definition is not there. */
  readonly dormant: ReadonlyMap<string, string>;
  readonly dimensions: readonly Dimension[];
}

export interface ContentRegistry {
  readonly types: ReadonlyMap<string, ContentType>;
  /** Content types that have documents of their own: all but components. */
  readonly documents: readonly ContentType[];
  /** All that are registered, whatever types they apply to. */
  readonly dimensions: readonly Dimension[];
  get(uid: string): ContentType;
}
