import type { Attribute } from './attribute';
import type { ModelKind, TypeDefinition } from './definition';
import type { Dimension } from './dimension';

/** A content type ready for use; frozen after start-up. */
export interface ContentType {
  readonly uid: string;
  readonly modelKind: ModelKind;
  readonly singularName: string;
  readonly pluralName: string;
  readonly definition: TypeDefinition;
  /** In the order of answers. */
  readonly attributes: ReadonlyMap<string, Attribute>;
  /** Why an attribute of the definition is not there. */
  readonly dormant: ReadonlyMap<string, string>;
  readonly dimensions: readonly Dimension[];
}

export interface ContentRegistry {
  readonly types: ReadonlyMap<string, ContentType>;
  /** Content types that have documents of their own: all but components. */
  readonly documents: readonly ContentType[];
  get(uid: string): ContentType;
}
