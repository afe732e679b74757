import { type HeddleError, type Issue, validationError } from '../errors';
import { flatMapped } from '../flat-mapped';
import type { Attribute } from './attribute';
import { conditionOf } from './conditions';
import type { ContentRegistry, ContentType } from './content-type';
import type { AttributeDefinition } from './definition';
import type { Check, Checked, Strictness } from './kinds/kind';
import { missing, noNull } from './kinds/messages';
import { isPart, type Nested } from './nested';
import type { Row } from './store';
import { invalidRelations, issueAt, judgeParts, labelIn, type Spot, spotIn } from './structure/part-input';
import type { BodyLinks } from './structure/read-links';
import { emptyInput, type RowInput } from './structure/row-input';
import type { StoredParts } from './structure/stored-parts';
import type { Claim } from './uniqueness';

type Data = Readonly<Record<string, unknown>>;

/** What is wrong with a body, and what can't even be read. */
export interface Findings {
  readonly issues: Issue[];
  /** Values that must be unique: looked for when all is read. */
  readonly claims: Claim[];
  /** Told when there are no issues. */
  unreadable?: HeddleError;
  /** What is wrong with the relations: told once, after the issues. */
  relations?: string;
}

export interface JudgeOptions {
  readonly strictness: Strictness;
  /** A new row: required values must be there, defaults are filled in. */
  readonly isNew: boolean;
  /** Ids of components name those that are there already; a new row has none. */
  readonly mayMerge: boolean;
  /** The links of the body that is checked, read before; none unless given. */
  readonly links?: BodyLinks;
  /** The row that is changed: what the body does not say, conditions find there. */
  readonly stored?: Row;
  /** Finds a component that is changed: what the body does not say, conditions find there. */
  readonly storedPart?: StoredParts;
}

export const noFindings = (): Findings => ({ issues: [], claims: [] });

/** Checks a body, or a part of one that stands at a spot; its mistakes are added to the findings. */
export type Judge = (data: Data, options: JudgeOptions, findings: Findings, at?: Spot) => Promise<RowInput>;

/** Checks one attribute and adds what it comes to. */
type Rule = (data: Data, options: JudgeOptions, findings: Findings, at: Spot, input: RowInput) => void | Promise<void>;

interface ScalarRule {
  readonly attribute: Attribute;
  readonly check: Check;
  readonly required: boolean;
  readonly unique: boolean;
}

const top: Spot = { label: '', path: [], way: [] };

function scalarRuleOf(attribute: Attribute): ScalarRule {
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
  { attribute: { kind }, required }: ScalarRule,
  value: null | undefined,
  label: string,
  { strictness, isNew }: JudgeOptions,
): Checked | undefined {
  const demanded = required && strictness === 'complete';
  if (value === null) return demanded ? { refusals: [noNull(label, kind.typeName, isNew)] } : { value: null };
  if (!isNew) return undefined;
  return demanded ? { refusals: [missing(label)] } : { value: null };
}

function scalarRule(type: ContentType, attribute: Attribute): Rule {
  const rule = scalarRuleOf(attribute);
  const { name, definition } = attribute;
  const unsaid = definition['default'];

  return (data, options, findings, at, input) => {
    const said = data[name];
    const given = said === undefined && options.isNew ? unsaid : said;
    const label = labelIn(at, name);
    const checked =
      given === undefined || given === null
        ? judgeEmpty(rule, given as null | undefined, label, options)
        : rule.check(given, label, options.strictness);
    if (checked === undefined) return;
    if ('unreadable' in checked) findings.unreadable ??= validationError(checked.unreadable);
    else if ('refusals' in checked) {
      const spot = spotIn(at, name);
      findings.issues.push(...checked.refusals.map((refusal) => issueAt(spot, refusal)));
    } else {
      const { value } = checked;
      input.values.set(name, value);
      if (rule.unique && options.strictness === 'complete' && value !== null && value !== '')
        findings.claims.push({ type, attribute, value, given, spot: spotIn(at, name), after: findings.issues.length });
    }
  };
}

const linkRule =
  (nested: Nested): Rule =>
  (data, { links }, findings, at, input) => {
    const change = links?.changeIn(data, nested);
    if (!change) return;
    input.links.push({ nested, change, ...spotIn(at, nested.name) });
    if (change.unfit) findings.relations ??= invalidRelations;
  };

const partRule =
  (nested: Nested, registry: ContentRegistry, judgeOf: (type: ContentType) => Judge): Rule =>
  (data, options, findings, at, input) => {
    const given = data[nested.name];
    // Nothing is said, and nothing demanded.
    if (given === undefined && nested.definition['required'] !== true) return undefined;
    const spot = { ...spotIn(at, nested.name), way: [...at.way, nested] };
    return judgeParts(given, spot, { nested, options, findings, registry, judgeOf }).then((parts) => {
      if (parts) input.parts.push(parts);
    });
  };

/** What an attribute will hold; a value that is wrong is told where it stands. */
function valueIn(data: Data, { kind, name, definition }: Attribute, { stored, isNew }: JudgeOptions): unknown {
  const unsaid = isNew ? definition['default'] : stored?.[name];
  const given = data[name] === undefined ? unsaid : data[name];
  if (given === undefined || given === null) return null;
  const checked = kind.check(definition)(given, name, 'sketch');
  return 'value' in checked ? checked.value : given;
}

/**
 * The rule of an attribute that not every document shows. Where it is hidden, nothing is demanded of it: what is given is
 * taken as work in progress.
 */
function shownRule(type: ContentType, definition: AttributeDefinition, nested: Nested | undefined, rule: Rule): Rule {
  const condition = conditionOf(definition);
  if (!condition) return rule;
  return (data, options, findings, at, input) => {
    const isShown = condition.isShown((name) => {
      const attribute = type.attributes.get(name);
      return attribute && !attribute.system ? valueIn(data, attribute, options) : null;
    });
    if (isShown) return rule(data, options, findings, at, input);
    const isLeftOut = nested && isPart(nested) && (data[nested.name] === undefined || data[nested.name] === null);
    if (!isLeftOut) return rule(data, { ...options, strictness: 'sketch' }, findings, at, input);
    if (data[nested.name] === null) input.parts.push({ nested, parts: [] });
  };
}

/** Checks bodies against types. The rules of a type are made once, when it is first written. */
export function createJudges(registry: () => ContentRegistry): (type: ContentType) => Judge {
  const judges = new Map<ContentType, Judge>();

  const nestedRule = (nested: Nested): Rule =>
    isPart(nested) ? partRule(nested, registry(), judgeOf) : linkRule(nested);

  /** In the order of the schema, in which mistakes are told. */
  function rulesOf(type: ContentType): Rule[] {
    return flatMapped(Object.keys(type.definition.attributes), (name): Rule[] => {
      const attribute = type.attributes.get(name);
      const nested = type.nested.get(name);
      const member = attribute ?? nested;
      if (!member || member.system) return [];
      const rule = attribute ? scalarRule(type, attribute) : nestedRule(nested!);
      return [shownRule(type, member.definition, nested, rule)];
    });
  }

  function judgeOf(type: ContentType): Judge {
    const known = judges.get(type);
    if (known) return known;
    const rules = rulesOf(type);
    const judge: Judge = async (data, options, findings, at = top) => {
      const input = emptyInput();
      for (const rule of rules) {
        const judged = rule(data, options, findings, at, input);
        if (judged) await judged;
      }
      return input;
    };
    judges.set(type, judge);
    return judge;
  }

  return judgeOf;
}
