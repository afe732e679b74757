import type { Feature } from '../runner/row';

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
  /** Whether the run may write single types, of which a deployment has only one. */
  exclusive: boolean;
  send(request: WireRequest, signal: AbortSignal): Promise<Answer>;
}
