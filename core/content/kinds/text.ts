import { z } from 'zod';
import type { AttributeDefinition } from '../definition';
import { type AttributeKind, type Check, type Refusal, UnfitValue } from './kind';
import { wrongType } from './messages';
import { Sealed } from './sealed';

const lengths = { minLength: z.int().min(0).optional(), maxLength: z.int().min(0).optional() };
const pattern = z.string().refine(isPattern, 'is no valid regular expression').optional();

function isPattern(source: string): boolean {
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
}

type Rule = (text: string, label: string) => string | undefined;

interface TextRules {
  /** Checked always. */
  readonly always: readonly Rule[];
  /** Checked when the document is complete. */
  readonly complete: readonly Rule[];
}

const atMost =
  (most: number): Rule =>
  (text, label) =>
    text.length > most ? `${label} must be at most ${most} characters` : undefined;
const atLeast =
  (least: number): Rule =>
  (text, label) =>
    text.length < least ? `${label} must be at least ${least} characters` : undefined;
const matching =
  (expression: RegExp): Rule =>
  (text, label) =>
    text === '' || expression.test(text) ? undefined : `${label} must match the following: "${expression}"`;

function lengthRules({ minLength, maxLength, regex }: AttributeDefinition, most?: number): TextRules {
  const longest = typeof maxLength === 'number' ? maxLength : most;
  return {
    always: longest === undefined ? [] : [atMost(longest)],
    complete: [
      ...(typeof minLength === 'number' ? [atLeast(minLength)] : []),
      ...(typeof regex === 'string' ? [matching(new RegExp(regex))] : []),
    ],
  };
}

function textCheck({ always, complete }: TextRules): Check {
  const all = [...complete, ...always];
  return (value, label, strictness) => {
    if (typeof value !== 'string') return { refusals: [wrongType(label, 'string', value)] };
    const refusals: Refusal[] = [];
    for (const rule of strictness === 'complete' ? all : always) {
      const message = rule(value, label);
      if (message !== undefined) refusals.push({ message, value });
    }
    return refusals.length > 0 ? { refusals } : { value };
  };
}

/** Filters compare texts as they are; a structure is no text. */
export function textFilter(given: unknown): string {
  if (typeof given === 'object') throw new UnfitValue('A filter on text takes a text.');
  return String(given);
}

const shortest = 255;

const base = { storage: 'string', typeName: 'string', toFilter: textFilter } as const;

const string: AttributeKind = {
  ...base,
  name: 'string',
  options: z.object({ ...lengths, regex: pattern, default: z.string().optional() }),
  check: (definition) => textCheck(lengthRules(definition, shortest)),
};

const text: AttributeKind = {
  ...base,
  name: 'text',
  storage: 'text',
  options: z.object({ ...lengths, regex: pattern, default: z.string().optional() }),
  check: (definition) => textCheck(lengthRules(definition)),
};

const richtext: AttributeKind = { ...text, name: 'richtext' };

const password: AttributeKind = {
  ...base,
  name: 'password',
  options: z.object({ ...lengths, regex: pattern }),
  concealed: true,
  check(definition) {
    const checkText = textCheck(lengthRules(definition));
    return (value, label, strictness) => {
      if (!(value instanceof Sealed)) return checkText(value, label, strictness);
      // Even in work in progress: once it is stored, nobody can check it any more.
      const checked = value.given === undefined ? undefined : checkText(value.given, label, 'complete');
      return checked && 'refusals' in checked ? checked : { value: value.stored };
    };
  },
};

const atom = String.raw`[^\s"(),:;<>@[\]\\.]+`;
const label = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?`;
const lastLabel = String.raw`\p{L}(?:[\p{L}\p{N}-]*[\p{L}\p{N}])?`;
const address = new RegExp(String.raw`^(?:${atom}(?:\.${atom})*|"[^"\r\n]*")@(?:${label}\.)+${lastLabel}$`, 'u');

const emailRule: Rule = (value, name) => {
  if (value === '') return `${name} cannot be empty`;
  return address.test(value) ? undefined : `${name} must be a valid email`;
};

const email: AttributeKind = {
  ...base,
  name: 'email',
  options: z.object({ ...lengths, regex: pattern, default: z.string().optional() }),
  check(definition) {
    const rules = lengthRules(definition);
    return textCheck({ ...rules, complete: [emailRule, ...rules.complete] });
  },
};

const uid: AttributeKind = {
  ...base,
  name: 'uid',
  unique: true,
  options: z.object({
    ...lengths,
    regex: pattern,
    targetField: z.string().optional(),
    options: z.record(z.string(), z.unknown()).optional(),
    default: z.string().optional(),
  }),
  check(definition) {
    const rules = lengthRules({ ...definition, regex: undefined });
    const expression = typeof definition['regex'] === 'string' ? new RegExp(definition['regex']) : /^[A-Za-z0-9-_.~]*$/;
    return textCheck({ ...rules, complete: [...rules.complete, matching(expression)] });
  },
};

const enumeration: AttributeKind = {
  ...base,
  name: 'enumeration',
  options: z.object({
    enum: z.array(z.string()).min(1),
    enumName: z.string().optional(),
    default: z.string().nullable().optional(),
  }),
  check({ enum: listed, required }) {
    const values = listed as readonly string[];
    // A value that may be left out is listed as an empty one.
    const allowed = [...values, ...(required === true ? [] : [''])].join(', ');
    return (given, name) => {
      const isPlain = typeof given !== 'object';
      const value = isPlain ? String(given) : given;
      if (isPlain && values.includes(value as string)) return { value: value as string };
      const unlisted: Refusal = { message: `${name} must be one of the following values: ${allowed}`, value };
      return { refusals: isPlain ? [unlisted] : [wrongType(name, 'string', value), unlisted] };
    };
  },
};

export const textKinds: readonly AttributeKind[] = [string, text, richtext, password, email, uid, enumeration];
