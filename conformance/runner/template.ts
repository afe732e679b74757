import { own } from './own';
import type { Json } from './row';

export type Values = Map<string, Json>;

const placeholder = /\{\{([A-Za-z][A-Za-z0-9]*)(?::(\d+))?\}\}/g;
const whole = /^\{\{([A-Za-z][A-Za-z0-9]*)\}\}$/;

/** Names that a text refers to; `fill` is no name but a generator. */
export const namesIn = (text: string): string[] =>
  [...text.matchAll(placeholder)].map((match) => match[1] as string).filter((name) => name !== 'fill');

function lookUp(name: string, values: Values): Json {
  const value = values.get(name);
  if (value === undefined) throw new Error(`The row uses {{${name}}}, which no earlier step saved.`);
  return value;
}

/** `{{fill:N}}` makes N characters, so that a row about size limits stays one line long. */
export function fillText(text: string, values: Values, encode: (text: string) => string = (plain) => plain): string {
  return text.replace(placeholder, (_, name: string, size?: string) =>
    name === 'fill' ? 'x'.repeat(Number(size)) : encode(String(lookUp(name, values))),
  );
}

/** Fills every string of a value. A string that is one placeholder takes the saved value with its type. */
export function fill(value: Json, values: Values): Json {
  if (typeof value === 'string') {
    const only = whole.exec(value);
    return only ? lookUp(only[1] as string, values) : fillText(value, values);
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, values));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [fillText(key, values), fill(item, values)]));
}

/** The value at a dotted path, in which [key=value] is the item of a list that has it; undefined where the path leads nowhere. */
export function pick(value: Json | undefined, path: string): Json | undefined {
  let found: Json | undefined = value;
  for (const [step, key, wanted] of path.matchAll(/\[(\w+)=([^\]]*)\]|[^.[\]]+/g)) {
    if (found === null || typeof found !== 'object') return undefined;
    if (key === undefined) found = own(found as Record<string, Json>, step);
    else found = Array.isArray(found) ? found.find((item) => String(pick(item, key)) === wanted) : undefined;
  }
  return found;
}
