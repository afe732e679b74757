import type { Feature, TokenKind } from '../runner/row';

/** The keys of API tokens that may not do everything. */
export type TokenKeys = Readonly<Record<TokenKind, string>>;

export interface WireRequest {
  method: string;
  /** Path and query string, as they go over the wire. */
  path: string;
  headers: Record<string, string>;
  /** A text, or the bytes of a form. */
  body?: string | Buffer;
}

export interface Answer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  text: string;
}

/** A deployment under test. */
export interface Target {
  name: string;
  features: ReadonlySet<Feature>;
  /** The API token that requests carry; without one they are public. */
  token?: string | undefined;
  /** Of each kind one, where the target declares `api-tokens`. */
  tokens?: TokenKeys | undefined;
  /** Whether the run may write single types, of which a deployment has only one. */
  exclusive: boolean;
  send(request: WireRequest, signal: AbortSignal): Promise<Answer>;
}
