/** One request of a scenario; the same few are sent again and again. */
export interface BenchRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export const get = (path: string): BenchRequest => ({ method: 'GET', path });

export const send = (method: 'POST' | 'PUT', path: string, body: unknown): BenchRequest => ({
  method,
  path,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
