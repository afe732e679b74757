import { type HeddleError, type Issue, validationError } from '../errors';
import type { Attribute } from './attribute';
import type { ContentType } from './content-type';
import type { Check, Checked, Refusal, Strictness } from './kinds/kind';
import { missing, noNull } from './kinds/messages';
import type { Bound } from './store';

type Data = Readonly<Record<string, unknown>>;

/** What a body's values come to: what to keep, what is wrong, and what can't even be read. */
export interface Judged {
  readonly values: Map<string, Bound>;
  readonly issues: Issue[];
  /** Told when there are no issues. */
  readonly unreadable?: HeddleError;
}

export interface JudgeOptions {
  readonly strictness: Strictness;
  /** A new document: required values must be there, defaults are filled in. */
  readonly isNew: boolean;
  /** Tells of a value that another document has already. */
  readonly isTaken: (attribute: Attribute, value: Bound) => boolean | Promise<boolean>;
}

interface Rule {
  readonly attribute: Attribute;
  readonly check: Check;
  readonly required: boolean;
  readonly unique: boolean;
}

const takenMessage = 'This attribute must be unique';

function issueOf(name: string, { message, at = [], ...rest }: Refusal): Issue {
  const issue: Issue = { path: [name, ...at], message, name: 'ValidationError' };
  return 'value' in rest ? { ...issue, value: rest.value } : issue;
}

/** Attributes that a body may set. */
export const writable = (type: ContentType): Attribute[] =>
  [...type.attributes.values()].filter(({ system }) => !system);

function ruleOf(attribute: Attribute): Rule {
  const { kind, definition } = attribute;
  return {
    attribute,
    check: kind.check(definition),
    required: definition['required'] === true,
    unique: kind.unique === true || definition['unique'] === true,
  };
}

/** An absent or null value, against what the attribute demands. */
function judgeEmpty(
  { attribute, required }: Rule,
  value: null | undefined,
  { strictness, isNew }: JudgeOptions,
): Checked | undefined {
  const { name, kind } = attribute;
  const demanded = required && strictness === 'complete';
  if (value === null) return demanded ? { refusals: [noNull(name, kind.typeName)] } : { value: null };
  if (!isNew) return undefined;
  return demanded ? { refusals: [missing(name)] } : { value: null };
}

/** Checks bodies against a type. The rules are made once, when the type is first written. */
export function createValidator(type: ContentType) {
  let rules: readonly Rule[] | undefined;

  async function judgeOne(rule: Rule, data: Data, options: JudgeOptions, judged: Judged): Promise<string | undefined> {
    const { name, definition } = rule.attribute;
    const given = data[name] === undefined && options.isNew ? definition['default'] : data[name];
    const checked =
      given === undefined || given === null
        ? judgeEmpty(rule, given as null | undefined, options)
        : rule.check(given, name, options.strictness);
    if (checked === undefined) return undefined;
    if ('unreadable' in checked) return checked.unreadable;
    if ('refusals' in checked) {
      judged.issues.push(...checked.refusals.map((refusal) => issueOf(name, refusal)));
      return undefined;
    }
    const { value } = checked;
    const guarded = rule.unique && options.strictness === 'complete' && value !== null && value !== '';
    if (guarded && (await options.isTaken(rule.attribute, value)))
      judged.issues.push(issueOf(name, { message: takenMessage, value: given }));
    judged.values.set(name, value);
    return undefined;
  }

  return async function judge(data: Data, options: JudgeOptions): Promise<Judged> {
    rules ??= writable(type).map(ruleOf);
    const judged: Judged = { values: new Map(), issues: [] };
    let unreadable: string | undefined;
    for (const rule of rules) {
      const reading = await judgeOne(rule, data, options, judged);
      unreadable ??= reading;
    }
    return unreadable === undefined ? judged : { ...judged, unreadable: validationError(unreadable) };
  };
}

export type Judge = ReturnType<typeof createValidator>;
