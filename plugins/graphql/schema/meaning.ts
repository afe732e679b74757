import type { ContentType, Spelling } from '../../../core';

/** What a field of the generated types stands for; a field without a meaning is answered by a resolver. */
export type FieldMeaning =
  | { readonly is: 'value'; readonly attribute: string; readonly spelling?: Spelling }
  /** Never told, to nobody. */
  | { readonly is: 'secret' }
  | {
      readonly is: 'tied';
      readonly nested: string;
      /** `list`: in parts, ordered and filtered as the arguments say; `all`: the whole list. */
      readonly shows: 'one' | 'list' | 'all';
    }
  /** A list in an object of its own, whose parts are its documents. */
  | { readonly is: 'connection'; readonly nested: string }
  /** The object that it stands in, once more. */
  | { readonly is: 'itself' };

/** A part of a list in an object of its own; `page` is `pageInfo` in one more object. */
export type ListPart = 'nodes' | 'pageInfo' | 'page' | 'aggregate';

/** What a root field does with a content type. */
export interface RootMeaning {
  readonly type: ContentType;
  /** What the caller must be allowed to. */
  readonly permission: string;
  readonly does: 'findOne' | 'find' | 'connection' | 'create' | 'update' | 'delete';
  /** The actions that it takes to be allowed, in the place of what the field does. */
  readonly scope?: readonly string[];
}

/** What the generated part of a schema means. */
export interface Meanings {
  /** GraphQL type → content type. */
  readonly types: ReadonlyMap<string, ContentType>;
  /** GraphQL type → field → meaning. */
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, FieldMeaning>>;
  /** GraphQL type of a list → field → the part of the list. */
  readonly lists: ReadonlyMap<string, ReadonlyMap<string, ListPart>>;
  readonly roots: ReadonlyMap<string, RootMeaning>;
}
