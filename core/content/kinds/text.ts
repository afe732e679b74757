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
  /** All that is checked when the document is complete, in the order in which they are told. */
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
/** What may be left out may be empty, too. */
const matching =
  (expression: RegExp, { required }: AttributeDefinition): Rule =>
  (text, label) =>
    (text === '' && required !== true) || expression.test(text)
      ? undefined
      : `${label} must match the following: "${expression}"`;

function lengthRules(definition: AttributeDefinition, most?: number): TextRules {
  const { minLength, maxLength, regex } = definition;
  const longest = typeof maxLength === 'number' ? maxLength : most;
  const always = longest === undefined ? [] : [atMost(longest)];
  return {
    always,
    complete: [
      ...(typeof minLength === 'number' ? [atLeast(minLength)] : []),
      ...always,
      ...(typeof regex === 'string' ? [matching(new RegExp(regex), definition)] : []),
    ],
  };
}

function textCheck({ always, complete }: TextRules): Check {
  return (value, label, strictness) => {
    if (typeof value !== 'string') return { refusals: [wrongType(label, 'string', value)] };
    const refusals: Refusal[] = [];
    for (const rule of strictness === 'complete' ? complete : always) {
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

/** What an address may have beyond ASCII: no controls, nothing private, nothing that takes two units, as emoji do. */
const beyond = String.raw`\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef`;
const atom = `[\\w!#$%&'*+\\-/=?^\`{|}~${beyond}]+`;
const quoted = String.raw`"(?:[\x01-\x09\x0b\x0c\x0e-\x21\x23-\x5b\x5d-\x7f${beyond}]|\\[\x01-\x09\x0b\x0c\x0e-\x7f${beyond}])*"`;
const letter = `A-Za-z${beyond}`;
const within = `${letter}\\d~_-`;
const label = `[${letter}\\d](?:[${within}]*[${letter}\\d])?`;
const lastLabel = `[${letter}](?:[${within}]*[${letter}])?`;
const address = new RegExp(String.raw`^(?:${atom}(?:\.${atom})*|${quoted})@(?:${label}\.)+${lastLabel}$`);

/** Whether an attribute of the kind `email` takes it. */
export const isAddress = (text: string): boolean => address.test(text);

const emailRule: Rule = (value, name) => {
  if (value === '') return `${name} cannot be empty`;
  return isAddress(value) ? undefined : `${name} must be a valid email`;
};

const email: AttributeKind = {
  ...base,
  name: 'email',
  options: z.object({ ...lengths, regex: pattern, default: z.string().optional() }),
  check(definition) {
    // As in Strapi, `minLength` says nothing of addresses.
    const { always, complete } = lengthRules({ ...definition, minLength: undefined });
    return textCheck({ always, complete: [...complete, emailRule] });
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
    return textCheck({ ...rules, complete: [...rules.complete, matching(expression, definition)] });
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
  check({ enum: listed }) {
    const values = listed as readonly string[];
    // As in Strapi, messages list an empty value behind them, which is none.
    const allowed = [...values, ''].join(', ');
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
