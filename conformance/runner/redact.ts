import type { Json } from './row';

const secretKeys =
  /^(authorization|jwt|cookie|set-cookie|refreshtoken|accesskey|\w*password(confirmation|token)?|confirmationtoken)$/i;
const hidden = '[redacted]';

/** What looks like a secret wherever it stands, with what to leave of it. */
const shapes: readonly (readonly [RegExp, string])[] = [
  [/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, hidden],
  [/\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}/g, hidden],
  [/\b(Bearer )[\w.~+/=-]{16,}/g, `$1${hidden}`],
  // In JSON, also where it is a text inside JSON, and in GraphQL.
  [/(password\w*(?:\\*")?\s*:\s*\\*")(?:[^"\\]|\\[^"])*/gi, `$1${hidden}`],
  [/(password\w*=)[^&\s"]+/gi, `$1${hidden}`],
];

/** Reports are published: neither the run's token nor anything a target handed out may appear in them. */
export function redact<T>(value: T, secrets: string[]): T {
  return hide(
    value as Json,
    secrets.filter((secret) => secret.length > 0),
  ) as T;
}

const hideText = (text: string, secrets: string[]): string =>
  shapes.reduce(
    (rest, [shape, left]) => rest.replace(shape, left),
    secrets.reduce((rest, secret) => rest.replaceAll(secret, hidden), text),
  );

/** A difference tells its place beside its values. */
const isAboutSecret = ({ path }: Record<string, Json>): boolean =>
  typeof path === 'string' && secretKeys.test(path.split('.').at(-1) ?? '');

function hide(value: Json, secrets: string[]): Json {
  if (typeof value === 'string') return hideText(value, secrets);
  if (Array.isArray(value)) return value.map((item) => hide(item, secrets));
  if (value === null || typeof value !== 'object') return value;
  const hidesGot = isAboutSecret(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      typeof item === 'string' && (secretKeys.test(key) || (hidesGot && key === 'got')) ? hidden : hide(item, secrets),
    ]),
  );
}
