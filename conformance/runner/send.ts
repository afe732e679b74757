import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Target, WireRequest } from '../targets/target';
import { encodeForm } from './form';
import type { Json, RowRequest, TokenKind } from './row';
import { fill, fillText, type Values } from './template';

export interface Patience {
  /** Milliseconds that a target has for one answer. */
  timeout: number;
  /** Milliseconds to spend, per request, on waiting out 429. */
  patience: number;
  /** How often a request that got no answer is sent again, where that can't do a thing twice. */
  retries: number;
}

/** A target that answers always needs no second try; whoever expects less says so. */
export const defaultPatience: Patience = { timeout: 15_000, patience: 60_000, retries: 0 };

type Keys = Pick<Target, 'token' | 'tokens'>;

/** The target's fault: it gave no answer. */
export class NoAnswer extends Error {
  constructor(
    message: string,
    /** Whether the request never arrived. */
    readonly isUnsent: boolean,
  ) {
    super(message);
  }
}

/** Somebody ended the run. */
export class Interrupted extends Error {
  constructor() {
    super('interrupted');
  }
}

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

const longestWait = 60_000;

/** How long a target asks to wait: seconds, or a date. */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const wait = /^[\d.]+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return wait > 0 ? Math.min(wait, longestWait) : undefined;
}

const pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  sleep(milliseconds, undefined, { signal }).catch(() => {
    throw new Interrupted();
  });

/** Sends, and waits where the target asks for it by 429. */
export async function send(
  target: Target,
  request: WireRequest,
  patience: Patience,
  signal?: AbortSignal,
): Promise<Answer> {
  const deadline = Date.now() + patience.patience;
  for (let usual = 1000; ; usual *= 2) {
    const answer = await sendUntilAnswered(target, request, patience, signal);
    const wait = retryAfter(answer.headers['retry-after'], Date.now()) ?? usual;
    if (answer.status !== 429 || Date.now() + wait > deadline) return answer;
    await pause(wait, signal);
  }
}

const changesNothing = ({ method }: WireRequest): boolean => ['GET', 'HEAD', 'OPTIONS'].includes(method);

/** What changes something is sent again only where it never arrived. */
async function sendUntilAnswered(
  target: Target,
  request: WireRequest,
  { timeout, retries }: Patience,
  signal?: AbortSignal,
): Promise<Answer> {
  for (let tries = 0; ; tries++) {
    try {
      return await sendOnce(target, request, timeout);
    } catch (error) {
      const isHarmless = error instanceof NoAnswer && (error.isUnsent || changesNothing(request));
      if (!isHarmless || tries >= retries) throw error;
      await pause(200 * 2 ** tries, signal);
    }
  }
}

const neverArrived = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;

async function sendOnce(target: Target, request: WireRequest, timeout: number): Promise<Answer> {
  const signal = AbortSignal.timeout(timeout);
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new NoAnswer(`no answer within ${timeout} ms`, false)), {
      once: true,
    });
  });
  try {
    return await Promise.race([target.send(request, signal), late]);
  } catch (error) {
    if (error instanceof NoAnswer) throw error;
    const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException };
    throw new NoAnswer(`no answer: ${cause?.message || message}`, neverArrived.test(cause?.code ?? ''));
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
