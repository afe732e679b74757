import { SyncHook } from 'tapable';
import type { ContentType, Operation, StoreAnswer } from '../../core';

/** Something that can be done with a document besides reading and writing it. */
export interface DocumentAction {
  /** Names the permission: `api::article.article.<name>`. */
  readonly name: string;
  /** The last part of the path: `POST /api/articles/:documentId/<path>`. */
  readonly path: string;
  appliesTo(type: ContentType): boolean;
  /** Does it; the answer holds the document as the caller is to see it, and none where there is no such document. */
  run(operation: Operation): Promise<StoreAnswer>;
}

export interface DocumentActions {
  add(action: DocumentAction): void;
}

/** What plugins may add to the REST interface of documents. */
export const restHooks = () =>
  Object.freeze({
    /** To add actions on documents, each a route of its own with a permission of its own. */
    actions: new SyncHook<[actions: DocumentActions]>(['actions']),
  });

export type RestHooks = ReturnType<typeof restHooks>;

declare module '../../core/types' {
  interface HookBags {
    rest: RestHooks;
  }
}
