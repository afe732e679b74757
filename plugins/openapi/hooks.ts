import { SyncHook } from 'tapable';
import type { Method } from '../../core';

/** A JSON Schema, or another part of an OpenAPI document, as JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** What plugins say of their own routes and schemas. */
export interface Descriptions {
  /** What is said of a route goes before what is known of it: `path` as it was registered, an OpenAPI operation. */
  operation(method: Method, path: string, operation: Json): void;
  /** A schema of that name, to be referred to as `#/components/schemas/<name>`. */
  schema(name: string, schema: Json): void;
}

/** What plugins may add to the description of the API. */
export const openapiHooks = () =>
  Object.freeze({
    /** When the description is first asked for: to describe routes and schemas. */
    describe: new SyncHook<[descriptions: Descriptions]>(['descriptions']),
  });

export type OpenapiHooks = ReturnType<typeof openapiHooks>;

declare module '../../core/types' {
  interface HookBags {
    openapi: OpenapiHooks;
  }
}
