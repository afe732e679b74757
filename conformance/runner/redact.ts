import type { Json } from './row';

const secretKeys = /^(authorization|jwt|cookie|set-cookie|refreshtoken|accesskey)$/i;
const hidden = '[redacted]';

/** Reports are published: neither the run's token nor anything a target handed out may appear in them. */
export function redact<T>(value: T, secrets: string[]): T {
  return hide(
    value as Json,
    secrets.filter((secret) => secret.length > 0),
  ) as T;
}

function hide(value: Json, secrets: string[]): Json {
  if (typeof value === 'string') return secrets.reduce((text, secret) => text.replaceAll(secret, hidden), value);
  if (Array.isArray(value)) return value.map((item) => hide(item, secrets));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      secretKeys.test(key) && typeof item === 'string' ? hidden : hide(item, secrets),
    ]),
  );
}
