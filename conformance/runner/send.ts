import type { Answer, Target, WireRequest } from '../targets/target';
import { encodeForm } from './form';
import type { Json, RowRequest, TokenKind } from './row';
import { fill, fillText, type Values } from './template';

export interface Patience {
  /** Milliseconds that a target has for one answer. */
  timeout: number;
  /** Milliseconds to spend, per request, on waiting out 429. */
  patience: number;
}

export const defaultPatience: Patience = { timeout: 15_000, patience: 60_000 };

type Keys = Pick<Target, 'token' | 'tokens'>;

/** The target's fault: it gave no answer. */
export class NoAnswer extends Error {}

export function wireRequest(request: RowRequest, values: Values, target: Keys): WireRequest {
  const headers: Record<string, string> = { accept: 'application/json' };
  const bearer = bearerOf(request.as ?? 'token', values, target);
  if (bearer) headers.authorization = `Bearer ${bearer}`;
  const { body, type } = bodyOf(request, values);
  if (type !== undefined) headers['content-type'] = type;
  for (const [name, value] of Object.entries(request.headers ?? {}))
    headers[name.toLowerCase()] = fillText(value, values);
  const query = queryOf(request.query, values);
  const path = fillText(request.path, values, encodeURIComponent) + (query ? `?${query}` : '');
  return { method: request.method, path, headers, ...(body === undefined ? {} : { body }) };
}

function bearerOf(as: string, values: Values, target: Keys): string | undefined {
  if (as === 'token') return target.token;
  if (as.startsWith('token:')) return target.tokens?.[as.slice('token:'.length) as TokenKind];
  return as === 'public' ? undefined : fillText(`{{${as.slice('user:'.length)}}}`, values);
}

function bodyOf({ form, raw, body }: RowRequest, values: Values): { body?: string | Buffer; type?: string } {
  if (form) {
    const { type, bytes } = encodeForm(form, values);
    return { body: bytes, type };
  }
  const type = 'application/json';
  if (raw !== undefined) return { body: fillText(raw, values), type };
  return body === undefined ? {} : { body: JSON.stringify(fill(body, values)), type };
}

function queryOf(query: RowRequest['query'], values: Values): string {
  if (query === undefined) return '';
  if (typeof query === 'string') return fillText(query, values, encodeURIComponent);
  return Object.entries(query)
    .map(([key, value]) => `${fillText(key, values)}=${encodeURIComponent(fillText(String(value), values))}`)
    .join('&');
}

/** Sends, and waits where the target asks for it by 429. */
export async function send(target: Target, request: WireRequest, { timeout, patience }: Patience): Promise<Answer> {
  const deadline = Date.now() + patience;
  for (let pause = 1000; ; pause *= 2) {
    const answer = await sendOnce(target, request, timeout);
    const wait = Number(answer.headers['retry-after']) * 1000 || pause;
    if (answer.status !== 429 || Date.now() + wait > deadline) return answer;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

async function sendOnce(target: Target, request: WireRequest, timeout: number): Promise<Answer> {
  const signal = AbortSignal.timeout(timeout);
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new NoAnswer(`no answer within ${timeout} ms`)), { once: true });
  });
  try {
    return await Promise.race([target.send(request, signal), late]);
  } catch (error) {
    if (error instanceof NoAnswer) throw error;
    const cause = (error as Error & { cause?: Error }).cause;
    throw new NoAnswer(`no answer: ${cause?.message || (error as Error).message}`);
  }
}

/** JSON where the answer says so and it is true, else the text. */
export function bodyOfAnswer(answer: Answer): Json {
  if (!/\bjson\b/.test(answer.headers['content-type'] ?? '')) return answer.text;
  try {
    return JSON.parse(answer.text) as Json;
  } catch {
    return answer.text;
  }
}
