/** An attribute as a schema file writes it. */
export interface AttributeDefinition {
  readonly type: string;
  readonly [option: string]: unknown;
}

export type ModelKind = 'collectionType' | 'singleType' | 'component';

/** A content type or component as a schema file writes it, before kinds and dimensions are resolved. */
export interface TypeDefinition {
  /** `api::article.article`, or `shared.seo` for a component. */
  readonly uid: string;
  /** Where it was read, for messages. */
  readonly file: string;
  readonly modelKind: ModelKind;
  readonly collectionName: string;
  readonly info: {
    readonly singularName: string;
    readonly pluralName: string;
    readonly displayName: string;
  };
  readonly options: Readonly<Record<string, unknown>>;
  readonly pluginOptions: Readonly<Record<string, unknown>>;
  readonly attributes: Readonly<Record<string, AttributeDefinition>>;
  /** Attributes that plugins add behind the user's: shown in answers, never accepted in bodies. */
  readonly systemAttributes?: Readonly<Record<string, AttributeDefinition>>;
  /** Names that bodies may hold, to no effect. */
  readonly ignoredInBodies?: readonly string[];
  /** Names that exist in the tables and are refused in every query and body. */
  readonly concealed?: readonly string[];
}
